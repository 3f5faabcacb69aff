/** The chosen language of the examples. The API explorer of the portal reads the same place. */
const PLACE = 'masthead-language'

/** Makes the tabs of all examples choose one language, which stays on the next page. */
export function keepLanguage(): void {
  const root = document.documentElement
  const mark = () => {
    for (const tab of document.querySelectorAll<HTMLElement>('[role=tab]')) {
      const isChosen = languagesOf(tab).includes(root.dataset.language!)
      tab.setAttribute('aria-selected', String(isChosen))
      tab.tabIndex = isChosen ? 0 : -1
    }
  }
  const choose = (tab: HTMLElement) => {
    // What stands above may get taller or lower; the tab stays where it is.
    const before = tab.getBoundingClientRect().top
    root.dataset.language = languagesOf(tab)[0]
    mark()
    tab.focus({ preventScroll: true })
    scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' })
    try {
      localStorage.setItem(PLACE, JSON.stringify(root.dataset.language))
    } catch {
      // The browser stores nothing; the choice holds on this page.
    }
  }
  mark()
  document.addEventListener('click', ({ target }) => {
    const tab = target instanceof Element ? target.closest<HTMLElement>('[role=tab]') : null
    if (tab) choose(tab)
  })
  document.addEventListener('keydown', (event) => {
    const tab = event.target instanceof Element ? event.target.closest<HTMLElement>('[role=tab]') : null
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!tab || (step === undefined && event.key !== 'Home' && event.key !== 'End')) return
    event.preventDefault()
    const tabs = [...tab.parentElement!.querySelectorAll<HTMLElement>('[role=tab]')]
    const at = step === undefined ? (event.key === 'Home' ? 0 : -1) : (tabs.indexOf(tab) + step) % tabs.length
    choose(tabs.at(at)!)
  })
}

/** A tab stands for its language, and for those that its example does not have. */
function languagesOf(tab: HTMLElement): string[] {
  return tab.dataset.language!.split(' ')
}
