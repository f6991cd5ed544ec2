/** A text message to one phone number. */
export interface SmsSender {
  /** @throws Error if the gateway does not accept it */
  send(message: { to: string; text: string }): Promise<void>;
}

const TIMEOUT_MS = 15_000;

/** Sends messages to a gateway of the operator's choice: POST {to, text} as JSON; any 2xx means accepted. */
export function webhookSms(url: string): SmsSender {
  return {
    async send(message) {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(message),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`SMS gateway answered ${response.status}`);
    },
  };
}
