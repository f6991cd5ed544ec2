/** Returns the body of a delivery; it is the same at every try. */
export function bodyOf(delivery: { event: string; payload: unknown; createdAt: Date }): string {
  const { event, payload, createdAt } = delivery;
  return JSON.stringify({ type: event, timestamp: createdAt.toISOString(), data: payload });
}
