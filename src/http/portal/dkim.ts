import type { ProjectId } from '../../ids.ts'
import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox'
import { admit, requireRole } from '../../access/permission.ts'
import { iso, isoOrNull } from '../../clock.ts'
import { invalid } from '../../errors.ts'
import { createDkimKey, deleteDkimKey } from '../../newsletter/connections/dkim-keys.ts'
import {
  type DkimRecord,
  dkimRecords,
  type DomainRecords,
  domainRecords,
  readDomain,
  systemTxt,
  verifyDkimKeys,
} from '../../newsletter/connections/dkim-records.ts'
import type { ResolveTxt } from '../../mail/dns.ts'
import { check, Id, obj, enumOf } from '../../schema.ts'
import type { Runtime } from '../../runtime.ts'
import { DKIM_ALGORITHMS } from '../../store/tables/dkim.ts'
import { readJson } from '../core/body.ts'
import { type Handler, json } from '../core/exchange.ts'
import { signedIn } from '../core/session-route.ts'

const Domain = Type.String({ minLength: 1, maxLength: 253 })

/** What the dashboard's DNS page does: method, path and handler of each route. `resolveTxt` stands in for the system's resolver. */
export function dkimRoutes(runtime: Runtime, resolveTxt: ResolveTxt = systemTxt): [string, string, Handler][] {
  const { store } = runtime
  return [
    [
      'POST',
      '/project/dns/list',
      forAdministrators(runtime, {}, async ({ project_id }) => ({
        domains: (await domainRecords(store.db, project_id)).map(domainAnswer),
      })),
    ],
    [
      'POST',
      '/project/dns/create-key',
      forAdministrators(
        runtime,
        { domain: Domain, algorithm: Type.Optional(enumOf(DKIM_ALGORITHMS)) },
        async ({ project_id, now }, { domain, algorithm }) => {
          const key = await createDkimKey(
            runtime,
            project_id,
            { domain: named(domain), algorithm: algorithm ?? 'rsa-sha256' },
            now,
          )
          return { record: dkimRecords([key]).map(dkimAnswer)[0] }
        },
      ),
    ],
    [
      'POST',
      '/project/dns/verify',
      forAdministrators(runtime, { domain: Domain }, async ({ project_id, now }, { domain }) => {
        const records = await verifyDkimKeys(store, project_id, named(domain), resolveTxt, now)
        return { records: records.map((record) => ({ ...dkimAnswer(record), found: record.found })) }
      }),
    ],
    [
      'POST',
      '/project/dns/delete-key',
      forAdministrators(runtime, { key_id: Id }, async ({ project_id, now }, { key_id }) => {
        await store.write((tx) => deleteDkimKey(tx, project_id, key_id, now))
        return { success: true }
      }),
    ],
  ]
}

function forAdministrators<P extends TProperties>(
  runtime: Runtime,
  properties: P,
  run: (admitted: { project_id: ProjectId; now: number }, input: Static<TObject<P>>) => Promise<object>,
): Handler {
  const schema = obj({ project_id: Type.String({ minLength: 1 }), ...properties })
  return signedIn(runtime, async ({ request, now }, caller) => {
    const input = check(schema, await readJson(request)) as unknown as Static<TObject<P>> & { project_id: string }
    const { project_id, role } = await admit(runtime.store.db, caller, input.project_id)
    requireRole(role, 'administrator')
    return json(200, await run({ project_id, now }, input))
  })
}

function named(text: string): string {
  const domain = readDomain(text)
  if (domain === null) throw invalid('/domain', 'Expected a domain such as example.com.')
  return domain
}

const SPF_HINT =
  'A domain has one SPF record: if there is one, add what is new to it. Ask the operator of your relay what it is to be named with.'
const DMARC_HINT =
  'A record of the domain above is enough. Once your mail passes, quarantine or reject protects your name.'

function domainAnswer({ domain, dkim, spf, dmarc }: DomainRecords) {
  return {
    domain,
    records: [
      ...dkim.map(dkimAnswer),
      ...(spf ? [{ purpose: 'spf', ...spf, hint: SPF_HINT }] : []),
      { purpose: 'dmarc', ...dmarc, hint: DMARC_HINT },
    ],
  }
}

function dkimAnswer({ type, name, value, key, signs }: DkimRecord) {
  return {
    purpose: 'dkim',
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
