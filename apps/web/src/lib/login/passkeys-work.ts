/**
 * Checks whether passkeys work here: browsers allow them over https and on localhost, at a name but not at an IP
 * address.
 */
export const passkeysWork = (): boolean =>
  isSecureContext && "PublicKeyCredential" in window && !/^[\d.]+$|^\[/.test(location.hostname);
