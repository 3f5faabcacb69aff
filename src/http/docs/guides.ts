import errors from '../../../docs/api/errors.md' with { type: 'text' }
import backup from '../../../docs/guides/backup.md' with { type: 'text' }
import firstApp from '../../../docs/guides/first-app.md' with { type: 'text' }
import firstLetter from '../../../docs/guides/first-letter.md' with { type: 'text' }
import idempotency from '../../../docs/guides/idempotency.md' with { type: 'text' }
import moveIn from '../../../docs/guides/move-in.md' with { type: 'text' }
import oauth from '../../../docs/guides/oauth.md' with { type: 'text' }
import scripts from '../../../docs/guides/scripts.md' with { type: 'text' }
import signUpForm from '../../../docs/guides/sign-up-form.md' with { type: 'text' }
import { html, Markup } from '../core/markup.ts'

/** A guide of docs/guides. Its address ends with its name. */
interface Guide {
  title: string
  /** Without the title. */
  text: string
}

/** In the order in which they are shown. */
export const GUIDES: ReadonlyMap<string, Guide> = new Map(
  Object.entries({
    'first-letter': firstLetter,
    'sign-up-form': signUpForm,
    'move-in': moveIn,
    'first-app': firstApp,
    scripts,
    oauth,
    idempotency,
    backup,
  }).map(([name, text]) => [name, guideOf(text)]),
)

const SERVICE = 'https://masthead.example'

function guideOf(text: string): Guide {
  const [, title = '', rest = ''] = /^# (.+)\n([\s\S]*)$/.exec(text) ?? []
  return { title, text: rest }
}

/** The HTML of a guide, with the address of this service in its examples and between its pages. */
export function guideMarkup({ text }: Guide, base_url: string): Markup {
  const linked = text.replaceAll(SERVICE, base_url).replace(/\]\(([\w-]+)\.md/g, '](/docs/guides/$1')
  const made = Bun.markdown.html(linked, {
    tables: true,
    noHtmlBlocks: true,
    noHtmlSpans: true,
    headings: { ids: true },
  })
  return new Markup(
    made
      .replaceAll('<table>', '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>')
      .replaceAll('</table>', '</table></div>'),
  )
}

/** Every code of a refusal with what to do, from docs/api/errors.md#what-to-do. */
export function errorsMarkup(): Markup {
  const rows = [...errors.matchAll(/^\| `([A-Z_]+)` \| (\d{3}) \| (yes|no) \|/gm)]
  const advice = new Map(
    [...errors.split('## What to do')[1]!.matchAll(/^\| `([A-Z_]+)` \| (.+) \|$/gm)].map(([, code, text]) => [
      code,
      text,
    ]),
  )
  return html`<p>Programs read the code and the status. The sentence beside them is for people and may change.</p>
<div class="scroll" tabindex="0" role="group" aria-label="Errors"><table>
<thead><tr><th>Code</th><th>Status</th><th>Try again</th><th>What to do</th></tr></thead>
<tbody>${rows.map(
    ([, code, status, again]) =>
      html`<tr id="${code}"><th scope="row"><code>${code}</code></th><td>${status}</td><td>${again}</td>
<td>${advice.get(code!)}</td></tr>`,
  )}</tbody></table></div>`
}
