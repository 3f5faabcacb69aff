import { afterAll, beforeAll, expect, test } from 'bun:test'
import { translationsFor } from '../../../../src/i18n/languages.ts'
import { createSiteWorld, type SiteWorld } from '../../site-world.ts'

let world: SiteWorld
beforeAll(async () => {
  world = await createSiteWorld()
})
afterAll(() => world.close())

const update = (changes: object) => world.as('administrator', '/project/site-settings/update', { ...changes })

test('The banner links to a path or a web address that stands in markup as it is, or to nothing.', async () => {
  for (const [consent_privacy_url, status] of [
    ['', 200],
    ['/', 200],
    ['/privacy?a&b#c', 200],
    ['http://harbour.example/privacy', 200],
    ['https://harbour.example', 200],
    ['privacy', 400],
    ['javascript:alert(1)', 400],
    ['https://', 400],
    ['/a b', 400],
    ['/"onclick=', 400],
    ['/<b>', 400],
    ['https://harbour.example/"onclick=', 400],
    [`/${'x'.repeat(1990)}`, 200],
    [`/${'x'.repeat(1991)}`, 400],
  ] as const)
    expect([consent_privacy_url, (await update({ consent_privacy_url })).status]).toEqual([consent_privacy_url, status])
  const { settings } = (await world.as('member', '/project/site-settings/get')).body
  expect(settings.consent_privacy_url).toBe(`/${'x'.repeat(1990)}`)
})

test('The usual texts are all that the banner says, in the language of the project.', async () => {
  const usual = async () => (await world.as('member', '/project/site-settings/get')).body.usual_texts
  expect(await usual()).toEqual(translationsFor('en').consent)
  await world.ok('settings/update', { locale: 'de-AT' })
  expect(await usual()).toEqual(translationsFor('de').consent)
})

test('The preview of the banner names the kinds of the scripts on the pages; without any, all of them.', async () => {
  const kinds = async () => {
    const { body } = await world.as('member', '/project/site-settings/preview', { consent_accept: 'Gern' })
    expect(body.html).toContain('>Gern<')
    return [...body.html.matchAll(/name="(\w+)"/g)].map(([, kind]) => kind)
  }
  expect(await kinds()).toEqual(['functional', 'analytics', 'advertising'])
  await world.requireConsent(true)
  await world.connect('<i></i>', { type: 'Analytics' })
  expect(await kinds()).toEqual(['analytics'])
})
