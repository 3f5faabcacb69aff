/** Characters of JSON. The slowest known document of this length renders in 20 ms of CPU. */
const SMALL = 10_000

/** Whether a document is so short that rendering it cannot delay other requests. The document may be anything. */
export function isSmall(document: unknown): boolean {
  return (JSON.stringify(document) ?? '').length <= SMALL
}
