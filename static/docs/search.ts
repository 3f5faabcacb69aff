import type { SearchIndex } from '../../src/http/docs/search-index.ts'

interface Found {
  title: string
  page: string
  href: string
  words: string
}

const MOST = 12

/** The search of the header: `/` focuses it, arrows choose, Enter opens. The index comes with the first key. */
export function makeSearch(): void {
  const field = document.querySelector<HTMLInputElement>('#search')!
  const list = document.querySelector<HTMLElement>('#found')!
  const count = document.querySelector<HTMLElement>('#count')!
  let index: Promise<Found[]> | undefined
  let chosen = -1

  const load = () =>
    (index ??= loadIndex().catch((error: unknown) => {
      index = undefined
      throw error
    }))
  const options = () => [...list.querySelectorAll<HTMLAnchorElement>('[role=option]')]
  const close = () => {
    list.hidden = true
    count.textContent = ''
    field.setAttribute('aria-expanded', 'false')
    field.removeAttribute('aria-activedescendant')
  }
  const choose = (at: number) => {
    chosen = at
    options().forEach((option, place) => option.setAttribute('aria-selected', String(place === at)))
    const option = options()[at]
    if (!option) return field.removeAttribute('aria-activedescendant')
    field.setAttribute('aria-activedescendant', option.id)
    option.scrollIntoView({ block: 'nearest' })
  }
  const show = async () => {
    const asked = field.value
    const words = asked.toLowerCase().split(/\s+/).filter(Boolean)
    if (words.length === 0) return close()
    const all = await load().catch(() => null)
    if (asked !== field.value) return
    const found = all === null ? [] : best(all, words)
    list.replaceChildren(...(found.length > 0 ? found.map(optionOf) : [note(all, asked)]))
    list.hidden = false
    field.setAttribute('aria-expanded', 'true')
    choose(found.length > 0 ? 0 : -1)
    count.textContent = found.length === 1 ? '1 result' : `${found.length} results`
  }

  field.addEventListener('focus', () => void load().catch(() => undefined))
  field.addEventListener('input', () => void show())
  field.addEventListener('keydown', (event) => {
    if (list.hidden) return
    const { length } = options()
    if (event.key === 'ArrowDown' && length > 0) choose((chosen + 1) % length)
    else if (event.key === 'ArrowUp' && length > 0) choose((chosen - 1 + length) % length)
    else if (event.key === 'Enter') options()[chosen]?.click()
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
  })
  list.addEventListener('click', () => {
    close()
    field.blur()
  })
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Element && !target.closest('.search')) close()
  })
  field.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Element) || !relatedTarget.closest('.search')) close()
  })
  document.addEventListener('keydown', (event) => {
    const { target } = event
    const isWriting = target instanceof HTMLElement && target.closest('input, select, textarea') !== null
    if (event.key !== '/' || isWriting || event.ctrlKey || event.metaKey || event.altKey || keysAreOff()) return
    event.preventDefault()
    field.focus()
    field.select()
  })
}

/** Whether the reader has switched keys of single characters off in the portal (static/app/ui/keys.ts). */
function keysAreOff(): boolean {
  try {
    return localStorage.getItem('masthead-keys-off') !== null
  } catch {
    return false
  }
}

async function loadIndex(): Promise<Found[]> {
  const answer = await fetch('/docs/search.json')
  const { pages, entries } = (await answer.json()) as SearchIndex
  return entries.map(([title, page, anchor, words]) => {
    const [name, href] = pages[page]!
    return { title, page: name, href: anchor === '' ? href : `${href}#${anchor}`, words }
  })
}

/** What has every word, those first that have them in the title, at its beginning. */
function best(all: readonly Found[], words: readonly string[]): Found[] {
  return all
    .map((one) => ({ one, rank: rankOf(one, words) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank || a.one.title.length - b.one.title.length)
    .slice(0, MOST)
    .map(({ one }) => one)
}

function rankOf({ title, page, words: more }: Found, words: readonly string[]): number {
  const name = title.toLowerCase()
  const rest = `${page} ${more}`.toLowerCase()
  let rank = 0
  for (const word of words) {
    if (name === word) rank += 12
    else if (name.startsWith(word)) rank += 8
    else if (new RegExp(`[\\W_]${RegExp.escape(word)}`).test(name)) rank += 6
    else if (name.includes(word)) rank += 4
    else if (rest.includes(word)) rank += 1
    else return 0
  }
  return rank
}

function optionOf({ title, page, href, words }: Found, at: number): HTMLElement {
  const option = document.createElement('a')
  option.id = `found-${at}`
  option.href = href
  option.tabIndex = -1
  option.role = 'option'
  const [name, where] = [document.createElement('b'), document.createElement('span')]
  name.textContent = title
  where.textContent = words === '' || page === title ? page : `${page} · ${words}`
  option.append(name, where)
  return option
}

/** An option that is none: why there is nothing. */
function note(all: unknown, asked: string): HTMLElement {
  const says = document.createElement('p')
  says.role = 'option'
  says.ariaDisabled = 'true'
  says.textContent = all === null ? 'The search could not be loaded.' : `Nothing is called “${asked}”.`
  return says
}
