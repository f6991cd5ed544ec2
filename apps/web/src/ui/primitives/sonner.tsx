import { CircleAlert, CircleCheck, Info, LoaderCircle, TriangleAlert } from "lucide-react";
import { useEffect } from "react";
import { Toaster as Sonner, type ToasterProps } from "sonner";
import { useTheme } from "@/lib/browser/theme.ts";
import { useNarrow } from "@/lib/browser/use-narrow.ts";
import { language, t } from "@/lib/i18n.ts";
import { markToasterShown } from "@/lib/toast.ts";

const icons = {
  success: <CircleCheck className="size-4 text-vacant" />,
  error: <CircleAlert className="size-4 text-danger" />,
  warning: <TriangleAlert className="size-4 text-expired" />,
  info: <Info className="size-4 text-checked-in" />,
  loading: <LoaderCircle className="size-4 animate-spin" />,
};

/** Shows the announcements of lib/toast.ts: on phones below the top bar, as a dialog has its buttons at the bottom. */
export function Toaster(props: ToasterProps) {
  const { dark } = useTheme();
  const narrow = useNarrow();
  useEffect(markToasterShown, []);
  return (
    <Sonner
      theme={dark ? "dark" : "light"}
      dir={language.dir}
      position={narrow ? "top-center" : language.dir === "rtl" ? "bottom-left" : "bottom-right"}
      mobileOffset={{ top: "4rem" }}
      containerAriaLabel={t("common.notifications")}
      icons={icons}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            "flex w-full items-start gap-3 rounded-lg font-sans border bg-popover px-4 py-3 text-base text-popover-foreground shadow-dialog lg:w-90",
          icon: "mt-0.5",
          content: "min-w-0 flex-1",
          title: "font-medium",
          description: "text-sm text-muted-foreground",
          actionButton: "rounded-sm px-2 py-1 text-sm font-medium text-brass-ink hover:bg-hover",
        },
      }}
      {...props}
    />
  );
}
