import { Menu } from "@base-ui/react/menu";
import { useQuery } from "@tanstack/react-query";
import { Bookmark, Keyboard, LogOut, ReceiptText, UserRound, Wallet } from "lucide-react";
import { accountCounts } from "@/api/account";
import { useSession } from "@/api/session";
import { count, usd } from "@/domain/figures";
import { cx } from "@/shared/cx";
import { THEMES, theme, useTheme } from "@/shared/theme";
import { MenuPopup, type MenuPopupProps } from "@/shared/ui/EntryMenu";
import { Link } from "@/shared/ui/Link";
import { PHONE, useMedia } from "@/shared/use-media";
import styles from "./AccountMenu.module.css";
import { shortcutList } from "./single-keys";

interface AccountMenuProps extends Omit<MenuPopupProps, "children"> {
  email: string;
}

export default function AccountMenu({ email, ...popup }: AccountMenuProps) {
  const { data: counts } = useQuery(accountCounts);
  const owed = counts && counts.owed > 0 && `${usd(counts.owed)} due`;
  const links = [
    { part: "overview", label: "Account", icon: UserRound, holds: owed },
    { part: "statement", label: "Statement", icon: ReceiptText },
    { part: "wallet", label: "Wallet", icon: Wallet, holds: counts && usd(counts.wallet) },
    { part: "baskets", label: "Baskets", icon: Bookmark, holds: counts && count(counts.baskets) },
  ];
  const { logOut } = useSession();
  const phone = useMedia(PHONE);
  return (
    <MenuPopup {...popup}>
      <p className="py-6 px-10 text-ink-3 text-13 font-medium overflow-hidden text-ellipsis max-w-260">
        {email}
      </p>
      {links.map(({ part, label, icon: Icon, holds }) => (
        <Menu.LinkItem
          key={part}
          className={styles.link}
          closeOnClick
          render={<Link to={`/account/${part}`} />}
        >
          <Icon />
          {label} <span className="ml-auto text-ink-3 text-13 tabular-nums">{holds}</span>
        </Menu.LinkItem>
      ))}
      <hr className="h-1 my-6 mx-4 border-0 bg-line" />
      <Menu.RadioGroup value={useTheme()} onValueChange={theme.choose}>
        <Menu.GroupLabel className="py-6 px-10 text-ink-3 text-13 font-medium">
          Theme
        </Menu.GroupLabel>
        <div className="flex rounded-2 bg-mute min-w-238 mb-6 mx-6 p-3">
          {THEMES.map(({ value, label }) => (
            <Menu.RadioItem
              key={value}
              value={value}
              className={cx(
                styles.theme,
                "flex-1 rounded-1 text-ink-2 font-medium text-center cursor-pointer py-7 px-12",
                "data-checked:bg-surface data-checked:shadow-button data-checked:text-ink",
              )}
            >
              {label}
            </Menu.RadioItem>
          ))}
        </div>
      </Menu.RadioGroup>
      <hr className={cx("h-1 my-6 mx-4 border-0 bg-line", styles.keyboard)} />
      <Menu.Item className={cx(styles.link, styles.keyboard)} onClick={shortcutList.show}>
        <Keyboard />
        Shortcuts
        <kbd
          className="ml-auto border border-line-2 rounded-1 bg-sunken text-ink-3 text-center
            text-12 min-w-22 [font-family:inherit]"
          aria-hidden
        >
          ?
        </kbd>
      </Menu.Item>
      {phone && (
        <>
          <hr className="h-1 my-6 mx-4 border-0 bg-line" />
          <Menu.Item className={styles.link} onClick={logOut}>
            <LogOut />
            Logout
          </Menu.Item>
        </>
      )}
    </MenuPopup>
  );
}
