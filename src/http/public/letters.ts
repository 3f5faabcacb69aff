import { iso, localDate } from '../../clock.ts'
import { translationsFor } from '../../i18n/languages.ts'
import { archivedLetters, type Letter, letterRenderer, sentLetters } from '../../newsletter/campaigns/letters.ts'
import { type SendingProject, sendingProject } from '../../newsletter/campaigns/content.ts'
import { formToJoin, openLists, type SignUpForm } from '../../newsletter/consent/sign-up-forms.ts'
import { listsWithLetters } from '../../newsletter/lists/public-letters.ts'
import { LETTERS_PATH, SITES_PATH } from '../../sites/addresses.ts'
import type { Archive } from '../../sites/source.ts'
import { requestedPaths } from '../../sites/paths.ts'
import type { ServedFile } from '../../sites/site-files.ts'
import { type SiteRequest, fileOf } from '../../sites/site-posts.ts'
import { html, type Markup } from '../core/markup.ts'
import { publicPage } from './page.ts'
import { signUpUrl } from './sign-up-form.ts'
import { MESSAGE_POLICY } from './view.routes.ts'

const LETTERS_A_PAGE = 20

/** The public archive of a site: the letters, newest first, and each letter (docs/api/sites.md#sent-letters). */
export function letterArchive(): Archive {
  const render = letterRenderer()
  return {
    async makeAt(request, pathname) {
      for (const path of requestedPaths(pathname)) {
        const [matched, campaign_id, number = '1'] = AT.exec(path) ?? []
        if (matched === undefined) continue
        if (campaign_id === undefined) return indexOf(request, Number(number))
        const text = await render(request.store, request.project_id, Number(campaign_id))
        return text === null ? null : pageOf(text, MESSAGE_POLICY)
      }
      return null
    },
    async paths({ store, project_id }) {
      const letters = await archivedLetters(store.db, project_id)
      const each = letters.map(({ id, sent_at }) => ({ path: `${LETTERS_PATH}/${id}`, updated_at: sent_at }))
      return each.length === 0 ? [] : [{ path: `${LETTERS_PATH}/`, updated_at: each[0]!.updated_at }, ...each]
    },
  }
}

const AT = new RegExp(`^${LETTERS_PATH}(?:/([1-9]\\d{0,14})|/page/([2-9]|[1-9]\\d{1,3}))?$`)

/** A page of the archive; null beyond its end, and where no list has public letters. */
async function indexOf(request: SiteRequest, number: number): Promise<ServedFile | null> {
  const { store, base_url, project_id } = request
  const { db } = store
  const open = await openLists(db, { project_id, list_ids: await listsWithLetters(db, project_id) })
  if (open.length === 0) return null
  const sender = await sendingProject(db, project_id)
  const part = { limit: LETTERS_A_PAGE + 1, offset: (number - 1) * LETTERS_A_PAGE }
  const letters = await sentLetters(db, sender, part)
  if (letters.length === 0 && number > 1) return null
  const form = await formToJoin(db, project_id, open)
  const { lang, letters: words } = translationsFor(sender.settings.locale)
  const page = publicPage({
    status: 200,
    branding: { name: sender.project.name, ...sender.settings, lang },
    title: words.title,
    body: bodyOf({
      base: baseOf(request, sender),
      number,
      letters,
      sender,
      form: form === null ? undefined : linkTo(base_url, form),
    }),
    for_search: true,
  })
  return pageOf(await page.text(), page.headers.get('Content-Security-Policy')!)
}

/** The prefix of links between pages of the archive. */
function baseOf({ by_slug }: SiteRequest, { project }: SendingProject): string {
  return (by_slug ? `${SITES_PATH}/${project.slug}` : '') + LETTERS_PATH
}

interface Index {
  base: string
  number: number
  /** One more than a page has where there are older ones. */
  letters: readonly Letter[]
  sender: SendingProject
  /** The link to the form on which readers join. */
  form: Markup | undefined
}

function bodyOf({ base, number, letters, sender, form }: Index): Markup {
  const { locale, timezone } = sender.settings
  const { letters: words } = translationsFor(locale)
  const pageAt = (page: number) => (page === 1 ? `${base}/` : `${base}/page/${page}`)
  const shown = letters.slice(0, LETTERS_A_PAGE).map(
    ({ id, subject, sent_at }) => html`<li><a href="${base}/${id}">${subject}</a><br>
<time class="quiet" datetime="${iso(sent_at)}">${localDate(sent_at, locale, timezone)}</time></li>
`,
  )
  const others = [
    ...(number > 1 ? [html`<a href="${pageAt(number - 1)}" rel="prev">${words.newer}</a> `] : []),
    ...(letters.length > LETTERS_A_PAGE ? [html`<a href="${pageAt(number + 1)}" rel="next">${words.older}</a>`] : []),
  ]
  return html`${shown.length === 0 ? html`<p>${words.none}</p>` : html`<ul>${shown}</ul>`}
${others.length > 0 && html`<p>${others}</p>`}
${form && html`<p>${form}</p>`}`
}

function linkTo(base_url: string, { id, title }: Pick<SignUpForm, 'id' | 'title'>): Markup {
  return html`<a href="${signUpUrl(base_url, id)}">${title}</a>`
}

/** Nothing in it runs, wherever it is opened. */
function pageOf(text: string, policy: string): ServedFile {
  return {
    ...fileOf('text/html; charset=utf-8', text),
    headers: { 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' },
  }
}
