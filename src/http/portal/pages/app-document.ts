import { appFilePath, appManifest } from '../../../app-files.ts'
import { assetUrl } from '../../../assets.ts'
import { baseUrlProblem } from '../../../base-url.ts'
import type { DocumentData } from '../../../shared/app-document.ts'
import type { AppPage, Place } from '../../../shared/app-pages.ts'
import type { Runtime } from '../../../runtime.ts'
import { html, Markup } from '../../core/markup.ts'
import { appShell } from './app-shell.ts'
import { page } from './portal.ts'

/** The parameters of one HTML document of the application. */
interface AppDocument {
  status: number
  place: Place
  /** The page of the address; null where there is none, which the script tells. */
  page: AppPage | null
  theme: string | null
  data: Omit<DocumentData, 'version' | 'styles' | 'base_url' | 'base_url_problem'>
}

/**
 * The policy of the application's pages. Nothing runs but its own files; style attributes are allowed, style elements
 * are not. Two named makers of trusted HTML are allowed: the letter editor's reader and ProseMirror's clipboard.
 */
export const APP_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types masthead-letter ProseMirrorClipboard',
].join('; ')

/** The document of an address of the application: its files, and the data that its script begins with. */
export function appDocument(runtime: Pick<Runtime, 'base_url'>, shown: AppDocument): Response {
  const { script, first, styles, preload, made_from } = appManifest()
  const { page: declared, data, theme } = shown
  const complete: DocumentData = {
    ...data,
    version: made_from,
    base_url: runtime.base_url,
    base_url_problem: baseUrlProblem(runtime.base_url),
    styles: Object.fromEntries(Object.entries(styles).map(([name, file]) => [name, appFilePath(file)])),
  }
  const preloaded = [...first, ...(declared === null ? [] : (preload[declared.source] ?? []))]
  const sheets = ['app', ...(declared?.style === undefined ? [] : [declared.style])]
  const title = [declared?.title, data.project?.name, 'Masthead'].filter(Boolean).join(' · ')
  const markup = html`<!doctype html>
<html lang="en"${theme === null ? null : html` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="${assetUrl('', 'favicon.svg')}" type="image/svg+xml">
${sheets.map((name) => html`<link rel="stylesheet" href="${appFilePath(styles[name]!)}">`)}
${preloaded.map((file) => html`<link rel="modulepreload" href="${appFilePath(file)}">`)}
<script type="module" src="${appFilePath(script)}"></script>
<script type="application/json" id="data">${new Markup(scriptJson(complete))}</script>
</head>
<body>
<div id="app">${appShell({ place: shown.place, page: declared, data })}</div>
</body>
</html>`
  return page(shown.status, markup, { 'Content-Security-Policy': APP_POLICY })
}

/** JSON that cannot end the script element that contains it. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
