import { type ComponentProps, type ComponentType, type ReactElement, useState } from "react";
import { ignoreFailure, reloadIfMissing } from "@/lib/loading/missing-part.ts";
import { Button } from "../primitives/button.tsx";

/** Menu loaded on demand; anchored at `trigger`, it opens when it mounts. */
export type MenuComponent = ComponentType<{ trigger: ReactElement }>;

type MenuButtonProps = ComponentProps<typeof Button> & { menu: () => Promise<{ default: MenuComponent }> };

/** A button whose menu is loaded on hover, focus or click, so that the first load contains no menus. */
export function MenuButton({ menu, ...props }: MenuButtonProps) {
  const [Menu, setMenu] = useState<MenuComponent>();
  if (Menu) return <Menu trigger={<Button {...props} />} />;

  const preload = () => ignoreFailure(menu());
  const open = () => void menu().then((loaded) => setMenu(() => loaded.default), reloadIfMissing);
  return (
    <Button
      {...props}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={open}
      onKeyDown={(event) => {
        if (event.key !== "ArrowDown") return;
        event.preventDefault();
        open();
      }}
    />
  );
}
