import { Menu } from "@base-ui/react/menu";
import { THEMES, theme } from "@/shared/theme";
import { MenuPopup, type MenuPopupProps } from "@/shared/ui/MenuPopup";
import { useTheme } from "@/shared/use-theme";
import styles from "./AccountMenu.module.css";

interface AccountMenuProps extends Omit<MenuPopupProps, "children"> {
  /** Whose account it is. */
  email: string;
}

/** Menu of the company's button in the header. */
export default function AccountMenu({ email, ...popup }: AccountMenuProps) {
  return (
    <MenuPopup {...popup}>
      <p className={styles.email}>{email}</p>
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
    </MenuPopup>
  );
}
