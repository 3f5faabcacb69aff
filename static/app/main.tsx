import { render } from 'preact'
import { loadAhead } from './shell/ahead.ts'
import { loadPage } from './shell/outlet.tsx'
import { tellFailures } from './shell/failures.ts'
import { pageOf } from './shell/place.ts'
import { Shell } from './shell/shell.tsx'

tellFailures()
loadAhead()
const first = pageOf(location.pathname)
// The first page's code loads together with the document; drawing earlier would show an empty shell.
if (first) await loadPage(first.page).catch(() => undefined)
const app = document.getElementById('app')!
// The server has drawn the frame of the page.
app.replaceChildren()
render(<Shell />, app)
performance.mark('masthead-ready')
