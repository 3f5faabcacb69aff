import { loadPage } from './outlet.tsx'
import { pageOf, scopePattern } from './place.ts'

/** Loads the code of a page while a link to it is still being pressed, so that it is there a little earlier. */
export function loadAhead(within: EventTarget = window): void {
  within.addEventListener('pointerdown', ({ target }) => {
    const link = target instanceof Element ? target.closest('a') : null
    const path = link?.origin === location.origin && scopePattern().test(link.pathname) ? link.pathname : null
    const match = path === null ? null : pageOf(path)
    // When the link is followed, the page loads its code itself and says what failed.
    if (match) loadPage(match.page).catch(() => undefined)
  })
}
