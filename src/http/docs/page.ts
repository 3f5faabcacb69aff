import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import tokens from '../../../static/app/ui/tokens.css' with { type: 'text' }
import { assetUrl } from '../../assets.ts'
import { root } from '../../root.ts'
import { html, Markup } from '../core/markup.ts'
import { PORTAL_PATH } from '../core/paths.ts'

/** A link of the navigation. */
interface NavLink {
  href: string
  label: string
}

export interface NavSection {
  title: string
  links: readonly NavLink[]
  /** Folded unless the page is in it. */
  folded?: boolean
}

interface DocsPage {
  title: string
  /** The page's own address, to mark it in the navigation. */
  href: string
  body: Markup
  navigation: readonly NavSection[]
}

let sheet: string | undefined

/** A page of the documentation. It can be read without its script, which searches, copies and keeps the language. */
export function docsPage({ title, href, body, navigation }: DocsPage): string {
  return html`<!doctype html>
<html lang="en" data-language="curl">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Masthead</title>
<link rel="icon" href="${assetUrl('', 'favicon.svg')}" type="image/svg+xml">
<style>${new Markup(styleOfDocs())}</style>
<script>${new Markup(FIRST_SCRIPT)}</script>
<script src="${assetUrl('', 'docs/docs.js')}" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header>
<a class="brand" href="/docs"><b>Masthead</b> Documentation</a>
<div class="search" role="search"><input id="search" type="search" role="combobox" aria-label="Search"
placeholder="Search" autocomplete="off" spellcheck="false" aria-expanded="false" aria-controls="found"
aria-autocomplete="list"><kbd aria-hidden="true">/</kbd>
<div id="found" role="listbox" aria-label="Found" hidden></div><p class="unseen" id="count" role="status"></p></div>
<a class="way" href="${PORTAL_PATH}/">Open the portal</a>
</header>
<div class="columns">
<nav aria-label="Documentation">
<details class="narrow"><summary>All pages</summary>${sections(navigation, href)}</details>
<div class="wide">${sections(navigation, href)}</div>
</nav>
<main id="main" tabindex="-1">
<h1>${title}</h1>
${body}
</main>
</div>
<p class="unseen" id="said" role="status"></p>
</body>
</html>
`.text
}

function sections(navigation: readonly NavSection[], current: string): Markup[] {
  return navigation.map(({ title, links, folded = false }) => {
    const list = html`<ul>${links.map(
      ({ href, label }) =>
        html`<li><a href="${href}"${href === current && html` aria-current="page"`}>${label}</a></li>`,
    )}</ul>`
    const isOpen = !folded || links.some(({ href }) => href === current)
    return folded
      ? html`<details${isOpen && html` open`}><summary>${title}</summary>${list}</details>`
      : html`<h2>${title}</h2>${list}`
  })
}

/** The language that the reader chose, and the colors that the portal has, before anything is drawn. */
const FIRST_SCRIPT =
  `try{let d=document.documentElement.dataset,l=JSON.parse(localStorage.getItem('masthead-language'));` +
  `if(l)d.language=l;let t=/masthead_theme=(light|dark)/.exec(document.cookie);if(t)d.theme=t[1]}catch{}`

/** The one style element of the pages. */
function styleOfDocs(): string {
  sheet ??= `${tokens}\n${readFileSync(join(root, 'static/docs/docs.css'), 'utf8')}`
  return sheet
}

/** The policy of the pages: their own style and scripts, and calls of this service. */
export function docsPolicy(): string {
  const hash = (text: string) => `'sha256-${new Bun.CryptoHasher('sha256').update(text).digest('base64')}'`
  return (
    `default-src 'none'; style-src ${hash(styleOfDocs())}; script-src 'self' ${hash(FIRST_SCRIPT)}; ` +
    `connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; ` +
    `require-trusted-types-for 'script'; trusted-types 'none'`
  )
}
