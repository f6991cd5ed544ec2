import type { Period } from "@innkey/shared/quote";
import { checkInInput } from "@innkey/shared/schemas/stays";
import type { UseFormReturn } from "react-hook-form";
import type { z } from "zod";
import { NO_GUEST } from "@/entities/guest/guest-fields.tsx";
import { firstPeriod } from "@/entities/stay/period.ts";
import type { Me } from "@/lib/session.ts";
import { useZodForm, type ZodForm } from "@/ui/form/use-zod-form.ts";

export type BookingKind = "checkIn" | "reserve";
export type BookingInput = z.input<typeof checkInInput>;
export type BookingOutput = z.output<typeof checkInInput>;
export type BookingForm = UseFormReturn<BookingInput, unknown, BookingOutput>;

/**
 * Returns the form for check-ins and reservations. A reservation has no deposit, and its schema drops the fields it
 * doesn't have.
 */
export function useBookingForm(
  kind: BookingKind,
  roomId: number,
  hotel: Me["hotel"],
  period?: Period,
): ZodForm<typeof checkInInput> {
  return useZodForm(checkInInput, {
    // With "onTouched", a guest who was just added would show errors before anything is typed.
    mode: "onBlur",
    defaultValues: {
      roomId,
      unit: "day",
      ...(period ?? firstPeriod(kind, hotel, Date.now())),
      guests: [NO_GUEST],
      breakfast: false,
      otherInformation: "",
      disableOldCards: true,
      idCardMatch: false,
      customerId: null,
      agreedTotalMinor: null,
      depositMinor: null,
      depositChannel: "cash",
      channel: null,
    },
  });
}
