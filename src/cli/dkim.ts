import { note } from '../audit/record.ts'
import { isoOrNull } from '../clock.ts'
import { systemTxt } from '../mail/dns.ts'
import { deleteDkimKey, insertDkimKey, listDkimKeys, prepareDkimKey } from '../newsletter/connections/dkim-keys.ts'
import {
  type DkimRecord,
  dkimRecords,
  lookUpDkimKeys,
  readDomain,
  storeDkimLookup,
} from '../newsletter/connections/dkim-records.ts'
import { getProject } from '../projects/projects.ts'
import { DKIM_ALGORITHMS } from '../store/tables/dkim.ts'
import { columns } from './columns.ts'
import { command, UsageError } from './command.ts'
import { withStore, withStoreToRead } from './open.ts'

/** The keys that sign messages of `smtp` connections (docs/api/delivery.md#dkim). */

export const dkimCreate = command({
  name: 'dkim create',
  summary: 'Create a DKIM key for a sender domain, and print its DNS record. It signs once the record was found.',
  args: ['PROJECT', 'DOMAIN'],
  flags: { algorithm: { takes: 'NAME', help: `${DKIM_ALGORITHMS.join(' or ')}. Default: rsa-sha256.` } },
  run: ({ args: [of, domain], flags, settings }) =>
    withStore(settings, async ({ store, keys, clock }) => {
      const project = await getProject(store.db, of)
      const wanted = { domain: domainIn(domain), algorithm: algorithmIn(flags.algorithm ?? 'rsa-sha256') }
      const prepared = await prepareDkimKey(store.db, project.id, wanted)
      const key = await store.write(async (tx) => {
        const made = await insertDkimKey(tx, keys, project.id, { ...prepared, created_at: clock.now() })
        note(tx, { target: `dkim_key:${made.id}`, project_id: project.id })
        return made
      })
      const [record] = dkimRecords([key])
      return {
        text: `Publish this TXT record, then run masthead dkim verify:\n${record!.name}\n${record!.value}`,
        data: shown(record!),
      }
    }),
})

export const dkimList = command({
  name: 'dkim list',
  summary: 'List the DKIM keys of a project.',
  args: ['PROJECT'],
  run: ({ args: [of], settings }) =>
    withStoreToRead(settings, async ({ store }) => {
      const project = await getProject(store.db, of)
      const groups = Map.groupBy(await listDkimKeys(store.db, project.id), ({ domain }) => domain)
      const records = [...groups.values()].flatMap(dkimRecords)
      return { text: table(records), data: { dkim_keys: records.map(shown) } }
    }),
})

export const dkimVerify = command({
  name: 'dkim verify',
  summary: 'Look for the records of the DKIM keys of a domain. A key whose record is there signs from now on.',
  args: ['PROJECT', 'DOMAIN'],
  run: ({ args: [of, given], settings }) =>
    withStore(settings, async ({ store, clock }) => {
      const project = await getProject(store.db, of)
      const domain = domainIn(given)
      const found = await lookUpDkimKeys(store.db, project.id, domain, systemTxt)
      const records = await store.write((tx) => storeDkimLookup(tx, project.id, { domain, found, now: clock.now() }))
      return {
        text: table(records),
        data: { dkim_keys: records.map((record) => ({ ...shown(record), found: record.found })) },
        code: records.every((record) => record.found === 'published') ? 0 : 1,
      }
    }),
})

export const dkimDelete = command({
  name: 'dkim delete',
  summary: 'Delete a DKIM key and destroy its private half. Keep its record for messages on their way.',
  args: ['PROJECT', 'ID'],
  run({ args: [of, given], settings }) {
    if (!/^\d{1,15}$/.test(given)) throw new UsageError(`${given} is not the ID of a key. See masthead dkim list.`)
    const id = Number(given)
    return withStore(settings, async ({ store, clock }) => {
      const project = await getProject(store.db, of)
      await store.write(async (tx) => {
        await deleteDkimKey(tx, project.id, id, clock.now())
        note(tx, { target: `dkim_key:${id}`, project_id: project.id })
      })
      return { text: 'Deleted.', data: { id } }
    })
  },
})

function table(records: readonly (DkimRecord & { found?: string })[]): string {
  return columns([
    ['ID', 'NAME', 'ALGORITHM', 'SIGNS', 'VERIFIED', 'RECORD'],
    ...records.map(({ key, name, signs, found, value }) => [
      String(key.id),
      name,
      key.algorithm,
      signs ? 'yes' : 'no',
      isoOrNull(key.verified_at) ?? 'never',
      found ?? value,
    ]),
  ])
}

function shown({ key, name, value, signs }: DkimRecord) {
  const { id, domain, selector, algorithm, verified_at } = key
  return { id, domain, selector, algorithm, name, value, signs, verified_at: isoOrNull(verified_at) }
}

function domainIn(text: string): string {
  const domain = readDomain(text)
  if (domain === null) throw new UsageError(`${text} is not a domain.`)
  return domain
}

function algorithmIn(text: string) {
  const found = DKIM_ALGORITHMS.find((one) => one === text)
  if (!found) throw new UsageError(`--algorithm expects ${DKIM_ALGORITHMS.join(' or ')}.`)
  return found
}
