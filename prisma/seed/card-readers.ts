/** Card readers of the demo hotel; `operator` is an index into OPERATORS, `customer` one into CUSTOMERS. */
export const CARD_READERS = [
  { deviceNo: "1A2B3C01", name: "Front desk 1", type: 1, operator: 0, customer: null, note: "" },
  { deviceNo: "1A2B3C02", name: "Front desk 2", type: 2, operator: 2, customer: null, note: "" },
  { deviceNo: "1A2B3C03", name: "Tour desk", type: 3, operator: null, customer: 0, note: "In the lobby" },
  { deviceNo: "1A2B3C04", name: "Spare", type: 1, operator: null, customer: null, note: "In the key cabinet" },
] as const;
