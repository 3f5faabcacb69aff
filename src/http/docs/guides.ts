import backup from '../../../docs/guides/backup.md' with { type: 'text' }
import firstApp from '../../../docs/guides/first-app.md' with { type: 'text' }
import firstLetter from '../../../docs/guides/first-letter.md' with { type: 'text' }
import idempotency from '../../../docs/guides/idempotency.md' with { type: 'text' }
import moveIn from '../../../docs/guides/move-in.md' with { type: 'text' }
import oauth from '../../../docs/guides/oauth.md' with { type: 'text' }
import scripts from '../../../docs/guides/scripts.md' with { type: 'text' }
import signUpForm from '../../../docs/guides/sign-up-form.md' with { type: 'text' }
import typedClient from '../../../docs/guides/typed-client.md' with { type: 'text' }
import { Markup } from '../core/markup.ts'
import { codeBlock } from './code-markup.ts'
import { PROGRAMS } from './examples.ts'
import type { CodeLanguage } from './highlight.ts'

/** A guide of docs/guides. Its address ends with its name. */
interface Guide {
  title: string
  /** Without the title. */
  text: string
}

/** In the order in which they are shown. */
export const GUIDES: ReadonlyMap<string, Guide> = new Map(
  Object.entries({
    'typed-client': typedClient,
    'first-letter': firstLetter,
    'sign-up-form': signUpForm,
    'move-in': moveIn,
    'first-app': firstApp,
    oauth,
    scripts,
    idempotency,
    backup,
  }).map(([name, text]) => [name, guideOf(text)]),
)

/** The address of a service that stands in guides and examples, in place of the one that serves them. */
export const SERVICE = 'https://masthead.example'

function guideOf(text: string): Guide {
  const [, title = '', rest = ''] = /^# (.+)\n([\s\S]*)$/.exec(text) ?? []
  return { title, text: rest }
}

/** The HTML of a guide, with links between the pages, and code that can be copied. */
export function guideMarkup({ text }: Guide): Markup {
  const linked = text
    .replaceAll(`](${SERVICE}/`, '](/')
    .replace(/\]\(([\w-]+)\.md/g, '](/docs/guides/$1')
    .replace(/^\[(.+)\]\(\.\.\/examples\/(.+)\)$/gm, (_, title: string, file: string) => {
      return `### ${title}\n\n\`\`\`${file.endsWith('.py') ? 'python' : 'js'}\n${PROGRAMS[file]}\`\`\``
    })
  const made = Bun.markdown.html(linked, {
    tables: true,
    noHtmlBlocks: true,
    noHtmlSpans: true,
    headings: { ids: true },
  })
  return new Markup(
    made
      .replaceAll('<table>', '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>')
      .replaceAll('</table>', '</table></div>')
      .replace(/<pre><code(?: class="language-(\w+)")?>([^]*?)\n?<\/code><\/pre>/g, (_, language, code: string) => {
        const known = (language ?? 'text') as CodeLanguage
        return codeBlock(unescaped(code), known === 'text' ? 'sh' : known, TITLES[known] ?? 'Command').text
      }),
  )
}

const TITLES: Readonly<Partial<Record<CodeLanguage, string>>> = {
  js: 'JavaScript',
  ts: 'TypeScript',
  python: 'Python',
  html: 'HTML',
  json: 'JSON',
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}

/** The headings of a guide, with their anchors as its HTML has them. */
export function headingsOf(guide: Guide): { anchor: string; title: string }[] {
  return [...guideMarkup(guide).text.matchAll(/<h[23] id="([^"]+)">(.*?)<\/h[23]>/g)].map(([, anchor, inner]) => ({
    anchor: anchor!,
    title: unescaped(inner!.replace(/<[^>]+>/g, '')),
  }))
}
