/** The hosts that a piece of code names in web addresses, each once. */
export function hostsIn(code: string): string[] {
  const hosts = [...code.matchAll(/(?:https?:)?\/\/([a-z0-9][a-z0-9.-]*\.[a-z]{2,}|localhost)\b/gi)]
  return [...new Set(hosts.map(([, host]) => host!.toLowerCase()))].toSorted()
}
