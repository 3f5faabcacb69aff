import { expect, test } from 'bun:test'
import type { FullGalleryApp, GalleryQuery } from '../../../src/developer/gallery.ts'
import { appBody, listBody } from '../../../src/http/public/gallery-markup.ts'

const base = { base_url: 'https://m.example' }
const EMPTY = {
  tagline: '',
  category: '',
  description: '',
  icon_url: '',
  support_url: '',
  privacy_url: '',
  screenshots: [],
}
const app = ({ listing = {}, ...more }: { listing?: object } & Record<string, unknown> = {}): FullGalleryApp => ({
  id: 'app_1',
  display_name: 'Tides',
  maker: 'Ada Lind',
  homepage: '',
  projects: 0,
  approved_at: 0,
  description: '',
  scopes: [],
  scope_reasons: {},
  scripts: [],
  version: 1,
  ...more,
  listing: { ...EMPTY, ...listing } as FullGalleryApp['listing'],
})
const list = (items: FullGalleryApp[], query: GalleryQuery = {}, next_cursor: string | null = null) =>
  listBody(base, query, { items, next_cursor }).text
const page = (more: Parameters<typeof app>[0] = {}) => appBody(base, app(more)).text

test('A list says why it is empty, and leads back to all apps where it is a part of them.', () => {
  const [all, searched, category] = [list([]), list([], { search: 'a"b' }), list([], { category: 'Travel' })]
  expect([all.includes('No app is listed yet.'), all.includes('Show all apps')]).toEqual([true, false])
  for (const part of [searched, category])
    expect([part.includes('No app matches.'), part.includes('<a href="/apps">Show all apps</a>')]).toEqual([true, true])
  expect(searched).toContain('value="a&quot;b"')
  expect([searched.includes('type="hidden"'), searched.includes('In ')]).toEqual([false, false])
  // A search stays in its category.
  expect(category).toContain('<input type="hidden" name="category" value="Travel">')
  expect(category).toContain('In Travel. ')
})

test('A list leads on with what it was asked for, only where there is more.', () => {
  const more = list([app()], { search: 'a b', category: undefined }, 'next')
  expect(more).toContain('<a href="/apps?search=a+b&amp;cursor=next">More apps</a>')
  expect(list([app()])).not.toContain('More apps')
})

test('An app stands in the list with its line, its category and how many projects use it.', () => {
  const full = list([app({ listing: { tagline: 'Every tide', category: 'Weather & sea' }, projects: 2 })])
  for (const part of ['<h2><a href="/apps/app_1">Tides</a></h2>', '<p>Every tide</p>']) expect(full).toContain(part)
  expect(full).toContain('<a href="/apps?category=Weather+%26+sea">Weather &amp; sea</a> · Used by 2 projects</p>')
  for (const text of [full, page()]) expect(text).toContain('<p class="quiet">By Ada Lind · ')
  expect(page({ maker: null })).toContain('<p class="quiet">Not used by a project yet</p>')
  expect(list([app({ projects: 1 })])).toContain('Used by 1 project</p>')
  expect(list([app()])).toContain(' · Not used by a project yet</p>')
})

test('Pictures are shown from the service alone.', () => {
  const own = 'https://m.example/files/a.png'
  const [icon, other] = [{ icon_url: own }, { icon_url: 'https://tracker.example/files/a.png' }]
  expect(list([app({ listing: icon })])).toContain('<img class="icon" src="/files/a.png"')
  expect(list([app({ listing: other })])).not.toContain('<img')
  const shots = page({ listing: { screenshots: ['https://tracker.example/1.png', own, own] } })
  expect([...shots.matchAll(/<img[^>]+>/g)].map(([image]) => image)).toEqual(
    [1, 2].map((number) => `<img class="shot" src="/files/a.png" alt="Screenshot ${number}" loading="lazy">`),
  )
})

test('The page of an app says where to connect it, or that it cannot be.', () => {
  const rel = 'rel="noopener noreferrer nofollow"'
  expect(page({ homepage: 'https://tides.example/x?y' })).toContain(
    `<a class="button" href="https://tides.example/x?y" ${rel}>Connect at tides.example</a>`,
  )
  for (const homepage of ['', 'no address', 'javascript:alert(1)', 'ftp://tides.example'])
    expect(page({ homepage })).toContain('there is nowhere to connect it yet')
  const links = page({ listing: { support_url: 'http://help.example/a', privacy_url: 'mailto:a@b.example' } })
  expect(links).toContain(`<p><a href="http://help.example/a" ${rel}>Support: help.example</a></p>`)
  expect(links).not.toContain('Privacy')
})

test('The page of an app has the words of its listing, else those of the app, with what it asks for and why.', () => {
  expect(page({ description: 'Own words' })).toContain('<p class="prose">Own words</p>')
  const listed = page({
    description: 'Own words',
    listing: { description: 'Listed', tagline: 'Line', category: 'Sea' },
  })
  for (const part of ['<p class="prose">Listed</p>', '<p>Line</p>', '>Sea</a> · Not used'])
    expect(listed).toContain(part)
  expect(listed).not.toContain('Own words')
  const nothing = page()
  expect([nothing.includes('<p>Nothing.</p>'), nothing.includes('class="prose"')]).toEqual([true, false])
  const asks = page({ scopes: ['cms:post:read', 'later:scope'], scope_reasons: { 'cms:post:read': 'To <quote>.' } })
  expect(asks).toContain(
    '<ul><li>Read the posts of the site<br><span class="quiet">To &lt;quote&gt;.</span></li><li>later:scope</li></ul>',
  )
})

test('The page of an app names its scripts with their place, where it has any.', () => {
  const named = (placement: string) => page({ scripts: [{ name: 'Counter', type: 'Analytics', placement }] })
  expect(page()).not.toContain('Its scripts on pages')
  for (const [placement, place] of [
    ['HTML Head', 'in the head'],
    ['HTML Body start', 'at the start'],
    ['HTML Body end', 'at the end'],
  ] as const)
    expect(named(placement)).toContain(`<li>Counter: analytics, ${place} of each page</li>`)
})
