import { html, type Markup } from '../core/markup.ts'
import { type CodeLanguage, highlighted } from './highlight.ts'

/** The languages of the examples, in the order of their tabs. The reader's choice holds on every page. */
export const LANGUAGES = { curl: 'curl', fetch: 'fetch', python: 'Python', typescript: 'TypeScript' } as const
export type Language = keyof typeof LANGUAGES
const COLORED_AS: Readonly<Record<Language, CodeLanguage>> = {
  curl: 'sh',
  fetch: 'js',
  python: 'python',
  typescript: 'ts',
}

/**
 * One example in several languages, as tabs with a button that copies. Without scripts all are shown, one below the
 * other. A language that is missing is stood in for by `fetch`, else by the first.
 */
export function codeTabs(texts: Partial<Record<Language, string>>, about: string): Markup {
  const given = (Object.keys(LANGUAGES) as Language[]).filter((language) => texts[language] !== undefined)
  const missing = (Object.keys(LANGUAGES) as Language[]).filter((language) => texts[language] === undefined)
  const stand_in = given.includes('fetch') ? 'fetch' : given[0]!
  const names = (language: Language) => [language, ...(language === stand_in ? missing : [])].join(' ')
  return html`<div class="code"><div class="bar">
<div role="tablist" aria-label="Language">${given.map((language, index) => {
    const [selected, stop] = index === 0 ? ['true', '0'] : ['false', '-1']
    return html`<button type="button" role="tab" data-language="${names(language)}"
aria-selected="${selected}" tabindex="${stop}">${LANGUAGES[language]}</button>`
  })}</div>${copyButton(about)}</div>
${given.map(
  (language) => html`<pre role="tabpanel" tabindex="0" aria-label="${LANGUAGES[language]}"
data-language="${names(language)}"><code>${highlighted(texts[language]!, COLORED_AS[language])}</code></pre>`,
)}</div>`
}

/** One text of code with its title and a button that copies it. */
export function codeBlock(text: string, language: CodeLanguage, title: string): Markup {
  return html`<div class="code"><div class="bar"><span>${title}</span>${copyButton(title)}</div>
<pre tabindex="0" role="group" aria-label="${title}"><code>${highlighted(text, language)}</code></pre></div>`
}

function copyButton(about: string): Markup {
  return html`<button type="button" class="copy">Copy<span class="unseen"> ${about}</span></button>`
}
