import { expect, test } from 'bun:test'
import { listPeople, type PeopleQuery } from '../../src/accounts/directory.ts'
import { startSession } from '../../src/accounts/sessions.ts'
import { HOUR_MS } from '../../src/clock.ts'
import { app_team } from '../../src/store/tables/developer.ts'
import { passkeys, totp_factors } from '../../src/store/tables/sign-in.ts'
import { KEYS, newApp, newProject, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'

const list = async (query: PeopleQuery, now = NOW) => (await listPeople(await sharedStore(), KEYS, query, now)).items

test('People are found by a part of their address or whole name, and by whether they can sign in.', async () => {
  const enabled = await newUser({ email: 'ada@people.example', first_name: 'Ada', last_name: 'Peopleson' })
  const disabled = await newUser({ email: 'bea@people.example', disabled_at: NOW })
  await newUser({ email: 'gone@people.example', deleted_at: NOW })
  const ids = async (query: PeopleQuery) => (await list(query)).map(({ id }) => id)
  expect(await ids({ search: ' @PEOPLE.example' })).toEqual([disabled, enabled])
  expect(await ids({ search: 'da peopleSON' })).toEqual([enabled])
  expect(await ids({ search: '@people', status: 'enabled' })).toEqual([enabled])
  expect(await ids({ search: '@people', status: 'disabled' })).toEqual([disabled])
})

test('A person shows open sessions, projects, apps of their own and of teams, and factors.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const user_id = await newUser({ email: 'busy@person.example', admin: true }, [project, 'editor'])
  const plain = await newUser({ email: 'plain@person.example' }, [other, 'owner'])
  const begin = (ttl_hours: number) =>
    write((tx) => startSession(tx, user_id, { address: '', user_agent: '', ttl_hours }, NOW))
  await begin(1)
  await begin(2)
  await newApp(user_id)
  const { id: app_id } = await newApp(plain)
  await write(async (tx) => {
    await tx.insert(app_team).values({ app_id, user_id, added_at: NOW })
    await tx.insert(totp_factors).values({ user_id, secret_sealed: '', last_step: 0, created_at: NOW })
    const key = { credential_id: user_id, public_key: '', counter: 0, transports: [], name: 'Key', created_at: NOW }
    await tx.insert(passkeys).values({ id: `psk_${user_id}`, user_id, ...key })
  })
  const shown = async (now: number) => (await list({ search: '@person.example' }, now)).map(({ sessions }) => sessions)
  expect([await shown(NOW), await shown(NOW + HOUR_MS), await shown(NOW + 2 * HOUR_MS)]).toEqual([
    [0, 2],
    [0, 1],
    [0, 0],
  ])
  expect(await list({ search: '@person.example' })).toMatchObject([
    { id: plain, admin: false, projects: 1, apps: 1, second_factor: false, passkeys: 0 },
    { id: user_id, admin: true, projects: 1, apps: 2, second_factor: true, passkeys: 1 },
  ])
})
