import type { ProjectId } from '../../src/ids.ts'
import type { ResolveTxt } from '../../src/mail/dns.ts'
import { insertDkimKey, type NewDkimKey, prepareDkimKey } from '../../src/newsletter/connections/dkim-keys.ts'
import { lookUpDkimKeys, storeDkimLookup } from '../../src/newsletter/connections/dkim-records.ts'
import type { Runtime } from '../../src/runtime.ts'
import type { Store } from '../../src/store/open.ts'

/** Generates and stores a key, as `/project/dns/create-key`. */
export async function createDkimKey(
  { store, keys }: Pick<Runtime, 'store' | 'keys'>,
  project_id: ProjectId,
  key: NewDkimKey,
  created_at: number,
) {
  const prepared = await prepareDkimKey(store.db, project_id, key)
  return store.write((tx) => insertDkimKey(tx, keys, project_id, { ...prepared, created_at }))
}

/** Looks for the keys of a domain and stores what was found, as `/project/dns/verify`. */
export async function verifyDkimKeys(
  store: Store,
  project_id: ProjectId,
  domain: string,
  resolveTxt: ResolveTxt,
  now: number,
) {
  const found = await lookUpDkimKeys(store.db, project_id, domain, resolveTxt)
  return store.write((tx) => storeDkimLookup(tx, project_id, { domain, found, now }))
}
