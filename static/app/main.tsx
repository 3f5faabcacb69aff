import { render } from 'preact'
import { loadPage } from './shell/outlet.tsx'
import { pageOf } from './shell/place.ts'
import { Shell } from './shell/shell.tsx'

const first = pageOf(location.pathname)
// The first page's code is on its way with the document; drawing before it has come would show an empty shell.
if (first) await loadPage(first.page).catch(() => undefined)
render(<Shell />, document.getElementById('app')!)
performance.mark('masthead-ready')
