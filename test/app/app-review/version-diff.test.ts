import { expect, test } from 'bun:test'
import { h } from 'preact'
import { useTab } from '../../support/tab.ts'
import { type Contents, newScopes, versionBefore, VersionDiff } from '../../../static/app/app-review/version-diff.tsx'

const tab = useTab({ scope: '/portal/developer' })
const listing = {
  tagline: '',
  description: '',
  icon_url: '',
  screenshots: [],
  support_url: '',
  privacy_url: '',
  category: '',
}
const script = (id: number, name: string, code = 'x()', more = {}) => ({
  ...{ id, name, code, type: 'Functional', placement: 'HTML Body end', parameters: {}, parameter_formats: {} },
  ...more,
})
const contents = (more: object = {}): Contents =>
  ({
    ...{ displayName: 'Tides', description: '', homepage: '', redirect_uris: ['https://a.example'], scripts: [] },
    ...{ listing, scopes: ['newsletter:read'], scope_reasons: {} },
    ...more,
  }) as never
const open = async (now: Contents, before: Contents | null, query = '') => {
  history.replaceState(null, '', `/portal/developer/apps/a/versions/2${query}`)
  await tab.draw(h(VersionDiff, { now, before }))
}
const titles = () => tab.texts('h2')

const version = (number: number, status: string, live = false) => ({ id: number * 10, number, status, live }) as never
const before = (versions: never[], id: number) =>
  (versionBefore(versions, id) as { number: number } | undefined)?.number

test('A version is compared with the one that sites run, an older one with the approved one before it.', () => {
  const [one, two, three, four, five] = [
    version(1, 'approved'),
    version(2, 'rejected'),
    version(3, 'approved'),
    version(4, 'approved', true),
    version(5, 'submitted'),
  ]
  const all = [five, one, four, two, three]
  expect([10, 20, 30, 40, 50].map((id) => before(all, id))).toEqual([undefined, 1, 1, 3, 4])
  expect(before([one, two, three, five], 50)).toBe(3)
})

test('New permissions are those that were not asked for before.', () => {
  const now = contents({ scopes: ['a', 'b'] })
  expect(newScopes(now, contents({ scopes: ['b', 'c'] }))).toEqual(['a'])
  expect(newScopes(now, null)).toEqual(['a', 'b'])
})

test('Unchanged parts are not shown.', async () => {
  await open(contents({ scopes: ['a', 'b'] }), contents({ scopes: ['b', 'a'] }))
  expect(tab.text()).toBe('Nothing differs.')
})

test('Of permissions it says which are new, gone or have another reason.', async () => {
  await open(
    contents({ scopes: ['a', 'b', 'd'], scope_reasons: { a: 'For A.', b: 'Now.' } }),
    contents({ scopes: ['b', 'c', 'd'], scope_reasons: { b: 'Then.' } }),
  )
  expect(titles()).toEqual(['Permissions'])
  expect(tab.texts('li')).toEqual(['New a For A.', 'Gone c', 'New reason b Now.'])
  await open(contents({ scopes: ['a'] }), null)
  expect(tab.texts('li')).toEqual(['New a No reason is given.'])
})

test('Of scripts it says what changed in their code and how they run, and which are gone.', async () => {
  await open(
    contents({ scripts: [script(1, 'A', 'y()'), script(2, 'B', 'x()', { placement: 'HTML Head' }), script(3, 'C')] }),
    contents({ scripts: [script(1, 'A'), script(2, 'B'), script(9, 'Old')] }),
  )
  expect(titles()).toEqual(['Script A', 'How B runs', 'Script C', 'How C runs'])
  expect(tab.texts('.callout')).toEqual(['The script Old is gone.'])
  expect(tab.find('pre').getAttribute('aria-label')).toBe('Code, Script A')
})

test('The order of parameters says nothing, their values and formats do.', async () => {
  const parameters = (values: object, formats = {}) =>
    contents({ scripts: [script(1, 'A', 'x()', { parameters: values, parameter_formats: formats })] })
  await open(parameters({ a: '1', b: '2' }), parameters({ b: '2', a: '1' }))
  expect(tab.text()).toBe('Nothing differs.')
  await open(parameters({ a: '1' }), parameters({ a: '2' }))
  expect(titles()).toEqual(['How A runs'])
})

test('Addresses, name and listing are compared by lines.', async () => {
  await open(
    contents({ redirect_uris: ['https://a.example', 'https://b.example'], listing: { ...listing, category: 'Sea' } }),
    contents(),
  )
  expect(titles()).toEqual(['Where people are sent back', 'Name and listing'])
  expect(tab.texts('.diff-added')).toEqual(['+ https://b.example', '+ Sea'])
})

test('Of the first version sites have nothing, and everything is new.', async () => {
  await open(contents(), null)
  expect(tab.texts('.callout')).toEqual(['This is the first version: sites have nothing of it yet.'])
  expect(titles()).toEqual(['Permissions', 'Where people are sent back', 'Name and listing'])
  expect(tab.texts('label')).toEqual([])
})

test('Both texts stand side by side when that is chosen, which the address keeps.', async () => {
  await open(contents({ homepage: 'https://a.example' }), contents(), '?tab=x')
  expect(tab.body.querySelector('table')).toBeNull()
  await tab.check('Side by side')
  expect(tab.address).toBe('/apps/a/versions/2?tab=x&diff=beside')
  expect(tab.body.querySelector('table')).not.toBeNull()
  await tab.check('Side by side')
  expect(tab.address).toBe('/apps/a/versions/2?tab=x')
})
