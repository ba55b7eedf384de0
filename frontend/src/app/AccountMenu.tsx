import { Menu } from "@base-ui/react/menu";
import { useQuery } from "@tanstack/react-query";
import { Bookmark, Keyboard, LogOut, ReceiptText, UserRound, Wallet } from "lucide-react";
import { type AccountCounts, accountCounts } from "@/api/account";
import { useSession } from "@/api/session";
import { usd } from "@/domain/money";
import { count } from "@/domain/units";
import { cx } from "@/shared/cx";
import { THEMES, theme } from "@/shared/theme";
import { Link } from "@/shared/ui/Link";
import { MenuPopup, type MenuPopupProps } from "@/shared/ui/MenuPopup";
import { PHONE, useMedia } from "@/shared/use-media";
import { useTheme } from "@/shared/use-theme";
import styles from "./AccountMenu.module.css";
import { shortcutList } from "./single-keys";

type Counts = AccountCounts | undefined;

const LINKS = [
  {
    to: "/account/overview",
    label: "Account",
    icon: UserRound,
    holds: (counts: Counts) => counts && counts.owed > 0 && `${usd(counts.owed)} due`,
  },
  { to: "/account/statement", label: "Statement", icon: ReceiptText },
  {
    to: "/account/wallet",
    label: "Wallet",
    icon: Wallet,
    holds: (counts: Counts) => counts && usd(counts.wallet),
  },
  {
    to: "/account/baskets",
    label: "Baskets",
    icon: Bookmark,
    holds: (counts: Counts) => counts && count(counts.baskets),
  },
];

interface AccountMenuProps extends Omit<MenuPopupProps, "children"> {
  /** Whose account it is. */
  email: string;
}

/** Menu of the company's button in the header. */
export default function AccountMenu({ email, ...popup }: AccountMenuProps) {
  const { data: counts } = useQuery(accountCounts);
  const { logOut } = useSession();
  const phone = useMedia(PHONE);
  return (
    <MenuPopup {...popup}>
      <p className={styles.email}>{email}</p>
      {LINKS.map(({ to, label, icon: Icon, holds }) => (
        <Menu.LinkItem key={to} className={styles.link} closeOnClick render={<Link to={to} />}>
          <Icon size={16} strokeWidth={1.8} aria-hidden />
          {label} <span className="ml-auto text-ink-3 text-13 tabular-nums">{holds?.(counts)}</span>
        </Menu.LinkItem>
      ))}
      <hr className={styles.rule} />
      <Menu.RadioGroup value={useTheme()} onValueChange={theme.choose}>
        <Menu.GroupLabel className={styles.label}>Theme</Menu.GroupLabel>
        <div className={styles.themes}>
          {THEMES.map(({ value, label }) => (
            <Menu.RadioItem key={value} value={value} className={styles.theme}>
              {label}
            </Menu.RadioItem>
          ))}
        </div>
      </Menu.RadioGroup>
      <hr className={cx(styles.rule, styles.keyboard)} />
      <Menu.Item className={cx(styles.link, styles.keyboard)} onClick={shortcutList.show}>
        <Keyboard size={16} strokeWidth={1.8} aria-hidden />
        Shortcuts
        <kbd className={styles.key} aria-hidden>
          ?
        </kbd>
      </Menu.Item>
      {phone && (
        <>
          <hr className={styles.rule} />
          <Menu.Item className={styles.link} onClick={logOut}>
            <LogOut size={16} strokeWidth={1.8} aria-hidden />
            Logout
          </Menu.Item>
        </>
      )}
    </MenuPopup>
  );
}
