-- A message that waits when the hotel switches its event off isn't sent.
ALTER TYPE "guest_message_skip" ADD VALUE 'switched_off';
