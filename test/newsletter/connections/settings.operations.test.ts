import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { createWorld, type World } from '../../support/world.ts'

let home: World
let world: World
beforeAll(async () => {
  home = await createWorld()
})
beforeEach(async () => {
  world = await home.fresh()
})
afterAll(() => home.close())

const update = (change: Record<string, unknown>) => world.call('settings/update', change)

test('settings/get answers the defaults where nothing was saved.', async () => {
  const { settings } = await world.ok('settings/get', {}, { as: world.keys.other })
  expect(settings).toEqual({
    from_name: '',
    from_email: '',
    reply_to: '',
    company_name: '',
    postal_address: '',
    default_connection_id: null,
    timezone: 'UTC',
    locale: 'en',
    footer_text: '',
    track_opens: true,
    unsubscribe_mailto: '',
    track_clicks: true,
    confirmation_subject: '',
    confirmation_text: '',
    confirmations_held: false,
    brand_color: '',
    logo_url: '',
  })
})

test('settings/update changes what is given and leaves the rest.', async () => {
  const first = {
    from_name: ' Harbour ',
    from_email: ' news@harbour.example ',
    postal_address: 'Quay 1\n20457 Hamburg',
    track_opens: false,
  }
  expect((await world.ok('settings/update', first)).settings).toMatchObject({
    from_name: 'Harbour',
    from_email: 'news@harbour.example',
    track_opens: false,
    track_clicks: true,
  })
  const { settings } = await world.ok('settings/update', {
    timezone: 'Europe/Berlin',
    locale: 'de-de',
    brand_color: '#0af',
    logo_url: 'https://harbour.example/logo.png',
  })
  expect(settings).toMatchObject({
    from_name: 'Harbour',
    postal_address: 'Quay 1\n20457 Hamburg',
    timezone: 'Europe/Berlin',
    locale: 'de-DE',
    brand_color: '#0af',
    track_opens: false,
  })
  expect((await world.ok('settings/get')).settings).toEqual(settings)
  expect((await world.ok('settings/update', { from_email: '', logo_url: '', brand_color: '' })).settings).toMatchObject(
    { from_email: '', logo_url: '', brand_color: '' },
  )
  expect((await world.ok('settings/update', {})).settings.timezone).toBe('Europe/Berlin')
})

test('settings/update takes a sender whose domain, but not its local part, is in any script.', async () => {
  expect(
    (await world.ok('settings/update', { from_email: 'news@häfen.example', reply_to: ' r.e+p@港.example ' })).settings,
  ).toMatchObject({ from_email: 'news@häfen.example', reply_to: 'r.e+p@港.example' })
  expect((await update({ reply_to: 'rép@harbour.example' })).body.error.details[0].message).toContain(
    'nothing but ASCII before the @',
  )
  await world.ok('settings/update', { from_email: '', reply_to: '' })
})

test("Settings are each project's own.", async () => {
  await world.ok('settings/update', { company_name: 'Harbour Ltd' })
  expect((await world.ok('settings/get', {}, { as: world.keys.other })).settings.company_name).toBe('')
})

test.each([
  [{ from_email: 'nobody' }, '/from_email'],
  [{ from_email: 'news@harbour.example\r\n' }, '/from_email'],
  [{ reply_to: 'two@harbour.example, three@harbour.example' }, '/reply_to'],
  [{ from_email: 'nëws@harbour.example' }, '/from_email'],
  [{ reply_to: 'rép@harbour.example' }, '/reply_to'],
  [{ reply_to: '李@harbour.example' }, '/reply_to'],
  [{ from_name: 'Harbour\r\nBcc: all@harbour.example' }, '/from_name'],
  [{ company_name: 'a\u0000b' }, '/company_name'],
  [{ from_name: 'x'.repeat(201) }, '/from_name'],
  [{ timezone: 'Mars/Base' }, '/timezone'],
  [{ timezone: '+01:00' }, '/timezone'],
  [{ timezone: '' }, '/timezone'],
  [{ locale: 'en_US' }, '/locale'],
  [{ brand_color: 'red' }, '/brand_color'],
  [{ logo_url: 'javascript:alert(1)' }, '/logo_url'],
  [{ logo_url: 'https://harbour.example/a b.png' }, '/logo_url'],
  [{ track_opens: 'yes' }, '/track_opens'],
  [{ default_connection_id: 0 }, '/default_connection_id'],
  [{ colour: '#000' }, '/colour'],
])('settings/update refuses %j.', async (change, path) => {
  const { status, body } = await update(change)
  expect(status).toBe(400)
  expect(body.error).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path }] })
})

test("settings/update takes a connection of the project as its default, and no other's.", async () => {
  const { connection } = await world.ok('connections/create', { name: 'Sandbox', provider: 'sandbox' })
  const { connection: foreign } = await world.ok(
    'connections/create',
    { name: 'Sandbox', provider: 'sandbox' },
    { as: world.keys.other },
  )
  expect(
    (await world.ok('settings/update', { default_connection_id: connection.id, from_name: 'Harbour' })).settings
      .default_connection_id,
  ).toBe(connection.id)
  for (const default_connection_id of [foreign.id, 999_999]) {
    const { status, body } = await update({ default_connection_id, from_name: 'Changed' })
    expect(status).toBe(404)
    expect(body.error).toMatchObject({ code: 'NOT_FOUND', details: [{ path: '/default_connection_id' }] })
  }
  const { settings } = await world.ok('settings/get')
  expect(settings).toMatchObject({ default_connection_id: connection.id, from_name: 'Harbour' })
  expect((await world.ok('settings/update', { default_connection_id: null })).settings.default_connection_id).toBeNull()
})
