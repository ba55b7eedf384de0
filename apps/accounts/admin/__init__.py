"""Staff pages of companies and users (design/admin.md, section 4: Approvers act, Sales view
companies).
"""

from apps.accounts.admin.companies import AddressEntryAdmin, CompanyAdmin
from apps.accounts.admin.users import UserAdmin

__all__ = ["AddressEntryAdmin", "CompanyAdmin", "UserAdmin"]
