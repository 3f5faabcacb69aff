import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { ProjectFacts } from '../../../src/newsletter/restore/facts-of.ts'
import { peopleIn } from '../../../src/newsletter/restore/people.ts'
import { addressMark } from '../../../src/store/address-key.ts'
import { newContact, newProject, sharedStore, write } from '../../support/shared-store.ts'

const key = 'a key of hashes'
const mark = (email: string) => addressMark(key, email)
const left = (contact_id: number, email: string) => ({
  ...{ what: 'left' as const, at: 0, project: 'prj_x', list_id: null },
  ...{ contact_id, mark: mark(email) },
})
const factsOf = (...departures: ProjectFacts['departures']): ProjectFacts => ({ handovers: new Map(), departures })

test('A contact is found by its id before its address, in its own project, when a fact names it.', async () => {
  const id = await newProject()
  const [ada, bo] = [await newContact(id, 'Ada@x.example'), await newContact(id, 'bo@x.example')]
  const cy = await newContact(id, 'cy@x.example')
  const foreign = await newContact(await newProject(), 'di@x.example')
  const { db } = await sharedStore()
  const named = [left(ada, 'ada@x.example'), left(999_999, 'bo@x.example'), left(foreign, 'di@x.example')]
  const people = await peopleIn(db, { id, key }, factsOf(...named))
  const find = (...given: Parameters<typeof people.find>) => people.find(...given)?.id ?? null
  expect(people.find(ada, '')).toEqual({
    ...{ id: ada, project_id: id, email: 'Ada@x.example', global_status: 'subscribed' },
  })
  expect(find(ada, mark('bo@x.example'))).toBe(ada)
  expect(find(999_999, mark('bo@x.example'))).toBe(bo)
  expect(find(null, mark('ada@x.example'))).toBe(ada)
  expect([find(foreign, mark('di@x.example')), find(cy, mark('cy@x.example'))]).toEqual([null, null])
})

test('A contact is found by the hashes of all forms in which its address was compared.', async () => {
  const id = await newProject()
  const jo = await newContact(id, 'Jörg@bücher.example')
  const { db } = await sharedStore()
  const forms = ['jörg@bücher.example', 'jörg@xn--bcher-kva.example', `${'jörg'.normalize('NFD')}@bücher.example`]
  const people = await peopleIn(db, { id, key }, factsOf(...forms.map((email) => left(0, email))))
  expect(forms.map((form) => people.find(null, mark(form))?.id ?? null)).toEqual([jo, jo, jo])
})

test('Nobody is passed over between two pages of contacts.', async () => {
  const id = await newProject()
  await write((tx) =>
    tx.run(sql`
      WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 5002)
      INSERT INTO contacts (project_id, email, email_key, search_key, global_status, created_at, updated_at)
      SELECT ${id}, 'p' || n || '@x.example', 'p' || n || '@x.example', '', 'subscribed', 0, 0 FROM n`),
  )
  const { db } = await sharedStore()
  const emails = [1, 4_999, 5_000, 5_001, 5_002].map((n) => `p${n}@x.example`)
  const people = await peopleIn(db, { id, key }, factsOf(...emails.map((email) => left(0, email))))
  expect(emails.map((email) => people.find(null, mark(email))?.email)).toEqual(emails)
})
