import { afterAll, beforeAll, test } from 'bun:test'
import { fillTour } from '../support/app-tour-world.ts'
import { messagesTo } from '../support/mailbox.ts'
import { createNamer, expectRecorded, outline } from '../support/recorded.ts'
import { createSiteWorld, DOMAIN, type SiteWorld } from './site-world.ts'

/** Whole answers of what reads, in a service that has something to show everywhere, and who is refused. */

let world: SiteWorld
beforeAll(async () => {
  world = await createSiteWorld()
  await fillTour(world)
})
afterAll(() => world.close())

type Viewer = 'owner' | 'administrator' | 'editor' | 'member' | 'outsider' | null
const VIEWERS: readonly Viewer[] = ['administrator', 'editor', 'member', 'outsider', null]
/** Headers that are the same in each answer are recorded once. */
const LEFT_OUT = new Set(['date', 'content-length', 'x-request-id', 'connection', 'keep-alive', 'etag'])

/** Without what depends on the machine or on the calls before, and without style sheets, which repeat. */
function sameEachTime(text: string): string {
  return text
    .replaceAll(/duration_ms: \d+/g, 'duration_ms: …')
    .replaceAll(/(?<=;r=|remaining: )\d+/g, '…')
    .replaceAll(/(?<=<style[^>]*>)[^<]*(?=<\/style>)/g, '…')
}

async function askAs(viewer: Viewer, call: string, body?: object): Promise<{ head: string; text: string }> {
  const [method = '', path = ''] = call.split(' ')
  const answer = await world.fetch(path, {
    method,
    headers: {
      'Accept-Encoding': 'identity',
      ...(viewer !== null && { Cookie: await world.cookie(viewer) }),
      ...(body !== undefined && { 'Content-Type': 'application/json', Origin: world.url }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const headers = [...answer.headers].filter(([name]) => !LEFT_OUT.has(name)).toSorted()
  const head = `${answer.status} ${headers.map(([name, value]) => `${name}: ${value}`).join(' | ')}`
  const text = await answer.text()
  const type = answer.headers.get('content-type') ?? ''
  const lines = type.includes('json') ? outline(JSON.parse(text)) : text
  return { head: sameEachTime(head), text: sameEachTime(lines) }
}

/** A namer that gives a set of headers its number once it was written. */
function createRecorder() {
  const name = createNamer()
  const heads: string[] = []
  const lines: string[] = []
  const headOf = (head: string): string => {
    const named = name(head)
    const at = heads.indexOf(named)
    if (at >= 0) return `${named.slice(0, 3)} with headers ${at + 1}`
    heads.push(named)
    return `${named.slice(0, 3)} with headers ${heads.length}: ${named.slice(4)}`
  }
  return {
    async record(call: string, body: object | undefined, shownTo: Viewer, others: readonly Viewer[]): Promise<void> {
      const own = await askAs(shownTo, call, body)
      lines.push(
        `## ${name(call)} ${body === undefined ? '' : name(JSON.stringify(body))}`,
        headOf(own.head),
        name(own.text),
      )
      for (const viewer of others) {
        const { head, text } = await askAs(viewer, call, body)
        const isSame = text === own.text
        const who = viewer ?? 'nobody'
        lines.push(isSame ? `${who}: the same` : `${who}: ${headOf(head)}${short(text, name)}`)
      }
      lines.push('')
    },
    text: () => lines.join('\n'),
  }
}

function short(text: string, name: (text: string) => string): string {
  return `\n${name(text).slice(0, 400)}`
}

test('What a project answers to each of its people is recorded.', async () => {
  const { record, text } = createRecorder()
  const project_id = world.project.public_id
  for (const [path, more] of Object.entries(PROJECT_READS))
    for (const body of more) await record(`POST ${path}`, { project_id, ...body }, 'owner', VIEWERS)
  // The neighbor has none of it.
  for (const path of Object.keys(PROJECT_READS).filter((one) => !/\/(get|preview)$/.test(one)))
    await record(`POST ${path}`, { project_id: world.other.public_id }, 'owner', ['administrator'])
  expectRecorded('http/project-reads.txt', text())
})

const PROJECT_READS: Record<string, readonly object[]> = {
  '/project/get': [{}],
  '/project/usage': [{}],
  '/project/members/list': [{}],
  '/project/api-keys/list': [{}],
  '/project/apps/list': [{}],
  '/project/apps/overview': [{}],
  '/project/audit/list': [{ limit: 5 }, { limit: 5, from: '2026-01-16T00:00:00Z' }],
  '/project/cms/posts/list': [{}, { status: 'draft' }, { limit: 1 }],
  '/project/cms/posts/get': [{ post_id: 1 }, { post_id: 9 }],
  '/project/deliverability/get': [{}, { days: 1 }],
  '/project/directory/list': [{}],
  '/project/directory/items/list': [{ directory: 'Shops' }, { directory: 'Shops', limit: 2 }],
  '/project/directory/items/get': [{ item_id: 2 }],
  '/project/dns/list': [{}],
  '/project/files/list': [{}],
  '/project/form-entries/forms': [{}],
  '/project/form-entries/list': [{ form: 'contact' }, { form: 'contact', limit: 2 }],
  '/project/form-settings/list': [{}],
  '/project/letters/settings/get': [{}],
  '/project/mailbox/list': [{ limit: 3 }],
  '/project/pages/list': [{}],
  '/project/pages/get': [{ page_id: 1 }],
  '/project/scripts/list': [{}],
  '/project/sign-up-forms/list': [{}],
  '/project/site-files/list': [{}],
  '/project/site-settings/get': [{}],
  '/project/site-settings/preview': [{}],
  '/project/site-templates/list': [{}],
}

test('What people, developers and operators are answered is recorded.', async () => {
  const { record, text } = createRecorder()
  for (const path of USER_READS) await record(`GET ${path}`, undefined, 'owner', ['member', 'outsider', null])
  const app = `/user/developer/apps/${world.app_id}`
  for (const path of APP_READS) await record(`GET ${app}${path}`, undefined, 'outsider', ['owner', 'member', null])
  for (const path of OPERATOR_READS) await record(`POST ${path}`, { limit: 3 }, 'owner', ['member', null])
  expectRecorded('http/user-reads.txt', text())
})

const USER_READS = [
  ...['/user/me', '/user/sessions', '/user/devices', '/user/security', '/user/invitations', '/user/deletion'],
  ...['/user/connected-apps', '/user/connected-apps/overview', '/user/developer/apps', '/user/review-requests'],
  ...['/user/review-requests?status=approved', '/user/review-requests/1', '/user/review-requests/9'],
  ...['/user/sign-up', '/user/export'],
]
const APP_READS = ['', '/images', '/installs', '/listing', '/requests', '/scripts', '/secrets', '/team', '/versions']
const OPERATOR_READS = [
  ...['/user/operator/apps/list', '/user/operator/audit/list', '/user/operator/projects/list'],
  '/user/operator/users/list',
]

test('What visitors of the service and of its sites see is recorded.', async () => {
  const { record, text } = createRecorder()
  for (const path of PUBLIC_PAGES) await record(`GET ${path}`, undefined, null, ['member'])
  expectRecorded('http/public-pages.txt', text())
})

const PUBLIC_PAGES = [
  ...['/', '/apps', '/portal/login', '/portal/sign-up', '/portal/reset', '/portal/setup', '/portal/email?token=x'],
  ...['/portal/invitation?token=x', '/portal/nowhere', '/nowhere', '/healthz', '/readyz'],
  ...['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration', '/general/apps'],
  ...['/general/newsletter/confirm/x', '/general/newsletter/unsubscribe/x', '/general/newsletter/preferences/x'],
  ...['/general/newsletter/view/x', '/general/newsletter/click/x', '/general/newsletter/own-link/x'],
  ...['/sites/harbour-news', '/sites/harbour-news/', '/sites/harbour-news/quay', '/sites/harbour-news/posts'],
  ...['/sites/harbour-news/feed.xml', '/sites/harbour-news/sitemap.xml', '/sites/harbour-news/robots.txt'],
  ...['/sites/harbour-news/nowhere', '/sites/mountain-post/', '/sites/nobody/', '/sites/harbour-news/css/site.css'],
]

test('What visitors of a domain of its own see is recorded.', async () => {
  const name = createNamer()
  const lines: string[] = []
  for (const path of ['/', '/quay', '/posts', '/feed.xml', '/sitemap.xml', '/robots.txt', '/css/site.css', '/nowhere'])
    for (const method of ['GET', 'HEAD', 'POST']) {
      const answer = await world.visit(path, { method, redirect: 'manual' })
      const headers = [...answer.headers].filter(([header]) => !LEFT_OUT.has(header)).toSorted()
      const head = headers.map(([header, value]) => `${header}: ${value}`).join(' | ')
      lines.push(
        `## ${method} ${DOMAIN}${path}`,
        `${answer.status} ${name(head)}`,
        name(sameEachTime(await answer.text())),
        '',
      )
    }
  expectRecorded('http/own-domain.txt', lines.join('\n'))
})

test('What the links of a message show to its recipient is recorded.', async () => {
  const { record, text } = createRecorder()
  const [message] = await messagesTo(world, 'person009@example.com')
  const links = [...message!.text.matchAll(/http\S+/g)].map(([url]) => new URL(url.replace(/[.)>]+$/, '')))
  const own = links.filter(({ origin }) => origin === new URL(world.url).origin)
  for (const { pathname, search } of own) await record(`GET ${pathname}${search}`, undefined, null, [])
  expectRecorded('http/links-of-a-message.txt', text())
})
