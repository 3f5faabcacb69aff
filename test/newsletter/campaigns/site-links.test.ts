import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Check } from '../../../src/newsletter/campaigns/resource.ts'
import { createSiteWorld, DOMAIN, type SiteWorld } from '../../http/site-world.ts'
import { addPeople, draft, readyToSend } from './support.ts'

let world: SiteWorld
beforeEach(async () => {
  world = await createSiteWorld({ base_url: 'https://masthead.example' })
  await readyToSend(world)
  await addPeople(world, [{ email: 'ada@harbour.example' }])
})
afterEach(() => world.close())

const text = (html: string) => ({ version: 1, settings: {}, blocks: [{ id: 'a', type: 'text', props: { html } }] })

test('Words and links that a design invented are counted until they are replaced.', async () => {
  const { id } = await draft(world, { template_id: 'builtin:welcome', editor_json: undefined })
  const messages = async () => {
    const { ready, checks } = await world.ok('campaigns/readiness', { campaign_id: id })
    const said = (wanted: string) => checks.find(({ code }: Check) => code === wanted)
    return { ready, content: said('content'), links: said('links') }
  }
  const site = `https://${DOMAIN}`
  const fresh = await messages()
  expect(fresh.ready).toBe(false)
  expect(fresh.content.message).toContain(`A link leads to ${site}/start, which this site does not have.`)
  expect(fresh.links).toMatchObject({ ok: false, severity: 'warning' })
  expect(fresh.links.message).toContain('1 link and 7 paragraphs still come from the design.')
  const warnings = async () => {
    const rendered = await world.ok('render', { campaign_id: id })
    return rendered.warnings.filter(({ code }: { code: string }) => code !== 'sample_text')
  }
  expect(await warnings()).toEqual([
    { code: 'missing_page', message: `A link leads to ${site}/start, which this site does not have.`, block_id: 'b9' },
    { code: 'sample_link', message: `A link to ${site}/start still comes from the design.`, block_id: 'b9' },
  ])
  for (const path of ['/', '/start'])
    await world.edit('/project/pages/create', { path, title: 'Page', html: '<p>Tides</p>', published: true })
  expect(await warnings()).toMatchObject([{ code: 'sample_link', block_id: 'b9' }])
  const served = await messages()
  expect([served.ready, served.content.ok, served.links.ok]).toEqual([true, true, false])
  await world.ok('campaigns/update', { campaign_id: id, editor_json: text('<p>Of our own.</p>') })
  expect((await messages()).links.ok).toBe(true)
  expect((await world.ok('render', { template_id: 'builtin:welcome' })).warnings).toEqual([])
})

async function contentOf(editor_json: object): Promise<Check> {
  const { id } = await draft(world, { editor_json })
  const { checks } = await world.ok('campaigns/readiness', { campaign_id: id })
  return checks.find(({ code }: Check) => code === 'content')
}

test('A link to the own site is an error where nothing is served, and only there.', async () => {
  const site = `https://www.${DOMAIN}`
  await world.edit('/project/pages/create', { path: '/tides', title: 'Tides', html: '<p>Tides</p>', published: true })
  await world.edit('/project/pages/create', { path: '/draft', title: 'Draft', html: '<p>Draft</p>', published: false })
  await world.edit('/project/cms/posts/create', {
    title: 'Ebb',
    slug: 'ebb',
    status: 'published',
    content: '<p>Ebb</p>',
  })
  const paths = ['/tides', '/tides/?x=1#low', '/tides.html', '/feed.xml', '/letters/3', '/posts/ebb', '/posts']
  const isServed = async (url: string) => (await contentOf(text(`<p><a href="${url}">A link</a></p>`))).ok
  for (const path of paths) expect([path, await isServed(site + path)]).toEqual([path, true])
  for (const path of ['/tides', '/']) {
    const bySlug = `https://masthead.example/sites/${world.project.slug}${path}`
    expect([path, await isServed(bySlug)]).toEqual([path, path === '/tides'])
  }
  for (const path of ['/draft', '/posts/none', '/none', '/%2f'])
    expect([path, await isServed(site + path)]).toEqual([path, false])
  for (const other of [
    'https://masthead.example/sites/another',
    `https://www.x${DOMAIN}/none`,
    `${site}/general/newsletter/view/x`,
    'https://masthead.example/none',
  ])
    expect([other, await isServed(other)]).toEqual([other, true])
})
