import type { Connection } from '../../api/operations.d.ts'

type Check = NonNullable<Connection['dns']>['checks'][number]

/** A record of the sender's domain, and what the DNS look-up found. */
export interface DnsRow extends Pick<Check, 'name' | 'record'> {
  /** Null before a look-up. */
  found: Pick<Check, 'ok' | 'found' | 'hint'> | null
}

type Known = NonNullable<DnsRow['record']>

/**
 * The records to add: those that the DNS lacks. A second SPF or DMARC record makes receivers ignore both (RFC 7208,
 * 4.5; RFC 7489, 6.6.3).
 */
export function missingRecords(rows: readonly DnsRow[]): Known[] {
  return rows.flatMap(({ record, found }) => (record === null || (found && found.found !== null) ? [] : [record]))
}

export function zoneFile(records: readonly Known[]): string {
  return records
    .map(({ type, name, value }) => `${name}. IN ${type} ${type === 'TXT' ? inPieces(value) : `${value}.`}`)
    .join('\n')
}

/** A TXT record holds strings of at most 255 bytes (RFC 1035, 3.3). */
function inPieces(value: string): string {
  return (value.match(/.{1,255}/g) ?? ['']).map((piece) => `"${piece.replaceAll('"', '\\"')}"`).join(' ')
}

/** A message to the administrator of the domain's DNS. */
export function requestFor(domain: string, records: readonly Known[]): string {
  return [
    `Please add these records for ${domain}, so that our newsletter is taken as genuine:`,
    '',
    ...records.flatMap(({ type, name, value }) => [`Type: ${type}`, `Name: ${name}`, `Value: ${value}`, '']),
    'Thank you.',
  ].join('\n')
}
