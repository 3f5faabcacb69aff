import { afterEach, beforeEach, expect, test } from 'bun:test'
import { closeWorlds, createWorld, type World } from '../../../support/world.ts'
import { signIn } from '../../signed-in.ts'

/** The second step of the set-up. */

let world: World
let cookie: string
beforeEach(async () => {
  world = await createWorld()
  cookie = await signIn(world, 'owner')
})
afterEach(closeWorlds)

const SENDER = { from_name: 'Harbour News', from_email: 'news@harbour.example', postal_address: 'Quay 4, 5003 Bergen' }

const submit = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  world.fetch('/portal/setup/sending', {
    method: 'POST',
    headers: { cookie, Origin: world.url, ...headers },
    body: new URLSearchParams({ ...SENDER, way: 'sandbox', ...fields }),
  })

test('The step asks who writes, and proposes the name of the project.', async () => {
  const answer = await world.fetch('/portal/setup/sending', { headers: { cookie } })
  const text = await answer.text()
  expect(text).toMatch(/name="from_name"[^>]* value="Harbour News"/)
  expect(text).not.toContain('class="refusal"')
  expect((await world.fetch('/portal/setup/sending')).headers.get('location')).toStartWith('/portal/login')
})

test('The step is for whoever has a project.', async () => {
  const outsider = await signIn(world, 'outsider')
  const answer = await world.fetch('/portal/setup/sending', { headers: { cookie: outsider } })
  expect([answer.status, (await answer.text()).includes('This link does not work')]).toEqual([404, true])
})

test('A flaw stands beside its field, and what was written stays.', async () => {
  const answer = await submit({ from_email: 'news@harbour' })
  expect(answer.status).toBe(400)
  const text = await answer.text()
  expect(text).toMatch(/value="news@harbour"[^>]* aria-invalid="true"/)
  expect(text).toContain('value="Quay 4, 5003 Bergen"')
  expect(text).toContain('Please look at the fields marked below.')
  expect((await world.ok('settings/get')).settings.from_email).toBe('')
})

test('A form that is refused keeps the way that was chosen for mail.', async () => {
  const chosen = async (way: string) =>
    /value="(\w+)" checked/.exec(await (await submit({ from_email: 'news@harbour', way })).text())?.[1]
  expect([await chosen('relay'), await chosen('sandbox')]).toEqual(['relay', 'sandbox'])
})

test('A member who may not change the settings of the project is told so.', async () => {
  const answer = await submit({}, { cookie: await signIn(world, 'member') })
  expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('This did not work')])
  expect((await world.ok('settings/get')).settings.from_email).toBe('')
})

test('The sandbox is made and chosen once, however often the form is sent.', async () => {
  for (let time = 0; time < 2; time++) {
    const answer = await submit({})
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/portal/projects/harbour-news'])
  }
  const { items } = await world.ok('connections/list')
  expect(items).toMatchObject([{ provider: 'sandbox', verified_at: expect.any(String) }])
  expect((await world.ok('settings/get')).settings).toMatchObject({ ...SENDER, default_connection_id: items[0].id })
})

test('An administrator with a provider is led to its page, and another site cannot send the form.', async () => {
  const answer = await submit({ way: 'relay' })
  expect(answer.headers.get('location')).toBe('/portal/projects/harbour-news/sending/new')
  expect((await submit({ from_name: 'Mallory' }, { Origin: 'https://evil.example' })).status).toBe(403)
  expect((await world.ok('settings/get')).settings.from_name).toBe('Harbour News')
})
