import { expect, test } from 'bun:test'
import { missingRecords, requestFor, zoneFile } from '../../../../static/app/site/sending/dns-records.ts'

const record = (name: string, value: string) => ({ type: 'TXT' as const, name, value })
const SPF = record('harbour.example', 'v=spf1 include:relay.example ~all')
const DMARC = record('_dmarc.harbour.example', 'v=DMARC1; p=none')

test('Only records of which the DNS has nothing are to be added, because a second one would void the first.', () => {
  const found = (ok: boolean, value: string | null) => ({ ok, found: value, hint: '' })
  const rows = (spf: ReturnType<typeof found> | null, dmarc: ReturnType<typeof found> | null) =>
    missingRecords([
      { name: 'spf', record: SPF, found: spf },
      { name: 'dkim', record: null, found: null },
      { name: 'dmarc', record: DMARC, found: dmarc },
    ])
  expect(rows(null, null)).toEqual([SPF, DMARC])
  expect(rows(found(false, null), found(false, null))).toEqual([SPF, DMARC])
  expect(rows(found(false, 'v=spf1 include:other.example -all'), found(false, null))).toEqual([DMARC])
  expect(rows(found(false, null), found(true, 'v=DMARC1; p=reject'))).toEqual([SPF])
})

test('Records are copied as lines of a zone file, in strings of at most 255 bytes, or as a letter.', () => {
  const cname = { type: 'CNAME' as const, name: 'pm.harbour.example', value: 'pm.mtasv.net' }
  expect(zoneFile([record('k._domainkey.harbour.example', 'p=' + 'A'.repeat(260)), cname])).toBe(
    `k._domainkey.harbour.example. IN TXT "p=${'A'.repeat(253)}" "${'A'.repeat(7)}"\n` +
      'pm.harbour.example. IN CNAME pm.mtasv.net.',
  )
  expect(requestFor('harbour.example', [SPF])).toBe(
    'Please add these records for harbour.example, so that our newsletter is taken as genuine:\n\n' +
      'Type: TXT\nName: harbour.example\nValue: v=spf1 include:relay.example ~all\n\nThank you.',
  )
})
