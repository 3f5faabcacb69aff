import { Type } from '@sinclair/typebox'
import { iso, isoOrNull } from '../../../clock.ts'
import { invalid } from '../../../errors.ts'
import { type ResolveTxt, systemTxt } from '../../../mail/dns.ts'
import {
  deleteDkimKey,
  insertDkimKey,
  listDkimKeys,
  prepareDkimKey,
} from '../../../newsletter/connections/dkim-keys.ts'
import {
  type DkimRecord,
  dkimRecords,
  domainRecords,
  FOUND,
  lookUpDkimKeys,
  readDomain,
  storeDkimLookup,
} from '../../../newsletter/connections/dkim-records.ts'
import { neededRecords } from '../../../mail/sender-dns.ts'
import { ConnectionFields, NeededRecord } from '../../../newsletter/connections/resource.ts'
import { senderSetup } from '../../../newsletter/connections/sender-dns.ts'
import { Id, nullable, obj, Timestamp, enumOf } from '../../../schema.ts'
import { DKIM_ALGORITHMS } from '../../../store/tables/dkim.ts'
import { DNS_CHECKS } from '../../../store/tables/dns-finding.ts'
import { type Route, route } from '../../core/route.ts'
import { MaybeTime, Success } from '../../core/schemas.ts'

const Domain = Type.String({ minLength: 1, maxLength: 253 })

const DKIM_RECORD = {
  purpose: Type.Literal('dkim'),
  type: Type.Literal('TXT'),
  name: Type.String(),
  value: Type.String(),
  key_id: Id,
  selector: Type.String(),
  algorithm: enumOf(DKIM_ALGORITHMS),
  signs: Type.Boolean({ description: 'Messages are signed with this key now.' }),
  created_at: Timestamp,
  verified_at: MaybeTime,
}
const OtherRecord = obj({
  purpose: enumOf(['spf', 'dmarc']),
  type: Type.Literal('TXT'),
  name: Type.String(),
  value: Type.String(),
  hint: Type.String(),
})
const DomainRecord = obj({
  domain: Type.String(),
  records: Type.Array(Type.Union([obj(DKIM_RECORD), OtherRecord])),
})
const FoundRecord = obj({ ...DKIM_RECORD, found: enumOf(FOUND) })

/**
 * `/project/dns/…`: the DNS records of a project's sender domains and its DKIM keys (docs/api/delivery.md#dkim).
 *
 * @param resolveTxt reads TXT records
 */
export function dkimRoutes(resolveTxt: ResolveTxt = systemTxt): Route[] {
  return [
    route({
      method: 'POST',
      path: '/project/dns/list',
      summary: 'The records of every domain that the project sends from or has keys for.',
      auth: 'session',
      role: 'administrator',
      response: obj({ domains: Type.Array(DomainRecord) }),
      async read(_, { db, project_id }) {
        const domains = await domainRecords(db, project_id)
        return {
          domains: domains.map(({ domain, dkim, spf, dmarc }) => ({
            domain,
            records: [
              ...dkim.map(dkimRecord),
              ...(spf ? [{ purpose: 'spf' as const, ...spf, hint: SPF_HINT }] : []),
              { purpose: 'dmarc' as const, ...dmarc, hint: DMARC_HINT },
            ],
          })),
        }
      },
    }),

    route({
      method: 'POST',
      path: '/project/dns/needed',
      summary: 'The records that a domain needs for mail through a connection that is still to be made.',
      auth: 'session',
      role: 'administrator',
      body: obj({
        provider: ConnectionFields.provider,
        host: Type.Optional(ConnectionFields.host),
        domain: Domain,
      }),
      response: obj({
        domain: Type.String(),
        records: Type.Array(obj({ purpose: enumOf(DNS_CHECKS), record: nullable(NeededRecord) })),
      }),
      async read({ provider, host = '', domain: text }, { db, project_id }) {
        const domain = asciiDomain(text)
        const own_keys = dkimRecords(await listDkimKeys(db, project_id, domain))
        const connection = { provider, host, bounce_domain: '', dkim_selector: '' }
        const records = neededRecords(senderSetup({ domain, connection, own_keys }))
        return { domain, records: DNS_CHECKS.map((purpose) => ({ purpose, record: records[purpose] })) }
      },
    }),

    route({
      method: 'POST',
      path: '/project/dns/create-key',
      summary: 'Creates a DKIM key. It signs nothing until its record was found in the DNS.',
      auth: 'session',
      role: 'administrator',
      audit: { target: 'project' },
      body: obj({ domain: Domain, algorithm: Type.Optional(enumOf(DKIM_ALGORITHMS)) }),
      response: obj({ record: obj(DKIM_RECORD) }),
      errors: ['INVALID_STATE'],
      prepare: ({ domain, algorithm = 'rsa-sha256' }, { db, project_id }) =>
        prepareDkimKey(db, project_id, { domain: asciiDomain(domain), algorithm }),
      async write(_, { tx, keys, project_id, now }, prepared) {
        const key = await insertDkimKey(tx, keys, project_id, { ...prepared, created_at: now })
        return { record: dkimRecord(dkimRecords([key])[0]!) }
      },
    }),

    route({
      method: 'POST',
      path: '/project/dns/verify',
      summary: 'Looks for the DKIM records of a domain in the DNS.',
      auth: 'session',
      role: 'administrator',
      audit: { target: 'project' },
      body: obj({ domain: Domain }),
      response: obj({ records: Type.Array(FoundRecord) }),
      errors: ['NOT_FOUND'],
      prepare: ({ domain }, { db, project_id }) => lookUpDkimKeys(db, project_id, asciiDomain(domain), resolveTxt),
      async write(input, { tx, project_id, now }, found) {
        const domain = asciiDomain(input.domain)
        const records = await storeDkimLookup(tx, project_id, { domain, found, now })
        return { records: records.map((record) => ({ ...dkimRecord(record), found: record.found })) }
      },
    }),

    route({
      method: 'POST',
      path: '/project/dns/delete-key',
      summary: 'Deletes a DKIM key and destroys its private half.',
      auth: 'session',
      role: 'administrator',
      audit: { target: { kind: 'key', input: 'key_id' } },
      body: obj({ key_id: Id }),
      response: Success,
      errors: ['NOT_FOUND'],
      write: ({ key_id }, { tx, project_id, now }) => deleteDkimKey(tx, project_id, key_id, now),
    }),
  ]
}

function asciiDomain(text: string): string {
  const domain = readDomain(text)
  if (domain === null) throw invalid('/domain', 'Expected a domain such as example.com.')
  return domain
}

const SPF_HINT =
  'A domain has one SPF record. If there is one already, add what is new to it. ' +
  'The operator of your relay knows its name in SPF.'
const DMARC_HINT =
  'A record of the domain above is enough. Once your mail passes, quarantine or reject protects your name.'

function dkimRecord({ type, name, value, key, signs }: DkimRecord) {
  return {
    purpose: 'dkim' as const,
    type,
    name,
    value,
    key_id: key.id,
    selector: key.selector,
    algorithm: key.algorithm,
    signs,
    created_at: iso(key.created_at),
    verified_at: isoOrNull(key.verified_at),
  }
}
