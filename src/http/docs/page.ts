import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import tokens from '../../../static/app/ui/tokens.css' with { type: 'text' }
import { root } from '../../root.ts'
import { html, Markup } from '../core/markup.ts'

/** A link of the navigation. */
interface NavLink {
  href: string
  label: string
}

export interface NavSection {
  title: string
  links: readonly NavLink[]
}

interface DocsPage {
  title: string
  /** The page's own address, to mark it in the navigation. */
  href: string
  body: Markup
  navigation: readonly NavSection[]
}

let sheet: string | undefined

/** A page of the reference, without scripts. */
export function docsPage({ title, href, body, navigation }: DocsPage): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Masthead</title>
<style>${new Markup(styleOfDocs())}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header><a href="/docs">Masthead reference</a></header>
<div class="columns">
<nav aria-label="Reference">
<details><summary>All pages</summary>${sections(navigation, href)}</details>
<div class="wide">${sections(navigation, href)}</div>
</nav>
<main id="main">
<h1>${title}</h1>
${body}
</main>
</div>
</body>
</html>
`.text
}

function sections(navigation: readonly NavSection[], current: string): Markup[] {
  return navigation.map(
    ({ title, links }) => html`<h2>${title}</h2>
<ul>${links.map(
      ({ href, label }) =>
        html`<li><a href="${href}"${href === current && html` aria-current="page"`}>${label}</a></li>`,
    )}</ul>`,
  )
}

/** The one style element of the pages. */
export function styleOfDocs(): string {
  sheet ??= `${tokens}\n${readFileSync(join(root, 'static/public/docs.css'), 'utf8')}`
  return sheet
}
