/** Currencies, and the countries (ISO 3166-1 alpha-2) that use them. */
const COUNTRIES_OF: Readonly<Record<string, string>> = {
  EUR: "AD AT AX BE BG BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI SK SM TF VA XK YT",
  USD: "AS BQ EC FM GU IO MH MP PR PW SV TC TL UM US VG VI ZW",
  GBP: "GB GG IM JE",
  CHF: "CH LI",
  AUD: "AU CC CX KI NF NR TV",
  NZD: "CK NU NZ PN TK",
  NOK: "BV NO SJ",
  DKK: "DK FO GL",
  XCD: "AG AI DM GD KN LC MS VC",
  XOF: "BF BJ CI GW ML NE SN TG",
  XAF: "CF CG CM GA GQ TD",
  XPF: "NC PF WF",
  ILS: "IL PS",
  MAD: "EH MA",
};

/** The other countries, each with its own currency. */
const OTHERS =
  "AE:AED AF:AFN AL:ALL AM:AMD AO:AOA AR:ARS AW:AWG AZ:AZN BA:BAM BB:BBD BD:BDT BH:BHD BI:BIF BM:BMD BN:BND BO:BOB BR:BRL BS:BSD BT:BTN BW:BWP BY:BYN BZ:BZD CA:CAD CD:CDF CL:CLP CN:CNY CO:COP CR:CRC CU:CUP CV:CVE CZ:CZK DJ:DJF DO:DOP DZ:DZD EG:EGP ER:ERN ET:ETB FJ:FJD FK:FKP GE:GEL GH:GHS GI:GIP GM:GMD GN:GNF GT:GTQ GY:GYD HK:HKD HN:HNL HT:HTG HU:HUF ID:IDR IN:INR IQ:IQD IR:IRR IS:ISK JM:JMD JO:JOD JP:JPY KE:KES KG:KGS KH:KHR KM:KMF KP:KPW KR:KRW KW:KWD KY:KYD KZ:KZT LA:LAK LB:LBP LK:LKR LR:LRD LS:LSL LY:LYD MD:MDL MG:MGA MK:MKD MM:MMK MN:MNT MO:MOP MR:MRU MU:MUR MV:MVR MW:MWK MX:MXN MY:MYR MZ:MZN NA:NAD NG:NGN NI:NIO NP:NPR OM:OMR PA:PAB PE:PEN PG:PGK PH:PHP PK:PKR PL:PLN PY:PYG QA:QAR RO:RON RS:RSD RU:RUB RW:RWF SA:SAR SB:SBD SC:SCR SD:SDG SE:SEK SG:SGD SH:SHP SL:SLE SO:SOS SR:SRD SS:SSP ST:STN SY:SYP SZ:SZL TH:THB TJ:TJS TM:TMT TN:TND TO:TOP TR:TRY TT:TTD TW:TWD TZ:TZS UA:UAH UG:UGX UY:UYU UZ:UZS VE:VES VN:VND VU:VUV WS:WST YE:YER ZA:ZAR ZM:ZMW CW:XCG SX:XCG";

type ZonedLocale = Intl.Locale & { getTimeZones?: () => string[]; timeZones?: string[] };

function zonesOf(country: string): readonly string[] {
  const locale: ZonedLocale = new Intl.Locale("und", { region: country });
  return locale.getTimeZones?.() ?? locale.timeZones ?? [];
}

function currencies(): Map<string, string> {
  const shared = Object.entries(COUNTRIES_OF).flatMap(([currency, countries]) =>
    countries.split(" ").map((country) => [country, currency] as const),
  );
  return new Map([...shared, ...OTHERS.split(" ").map((pair) => pair.split(":") as [string, string])]);
}

/** Returns the currency of the country that a time zone belongs to; empty if the zone names no country's place. */
export function currencyOfZone(zone: string): string {
  for (const [country, currency] of currencies()) if (zonesOf(country).includes(zone)) return currency;
  return "";
}
