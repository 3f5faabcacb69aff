import type { ComponentType } from 'preact'
import { useLocation } from 'preact-iso'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { clearCalls } from '../api/call-log.ts'
import { data } from '../api/data.ts'
import { isOutdated } from '../api/conditions.ts'
import { useReturn } from '../api/returns.ts'
import { can, whoMay } from '../api/role.ts'
import { LOADERS } from '../loaders.ts'
import type { PageProps } from '../page-props.ts'
import type { AppPage } from '../../../src/shared/app-pages.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/callout.tsx'
import { PageHead } from '../ui/page.tsx'
import { link } from '../api/link.ts'
import { pageOf } from './place.ts'
import { subject } from '../page-subject.ts'
import { useWantedField } from './wanted-field.ts'

/** The components that were loaded; `loadPage` adds them. */
const loaded = new Map<string, ComponentType<PageProps>>()

/** Loads a page's code and style sheet. */
export async function loadPage(page: AppPage): Promise<ComponentType<PageProps>> {
  const load = LOADERS[page.source]
  if (!load) throw new Error(`loaders.ts does not name ${page.source}.`)
  const [module] = await Promise.all([load(), page.style === undefined ? null : loadStyle(page.style)])
  loaded.set(page.source, module.default)
  return module.default
}

function loadStyle(name: string): Promise<void> {
  const href = data.styles[name]!
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve()
  const sheet = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
  const isLoaded = new Promise<void>((resolve) => {
    sheet.addEventListener('load', () => resolve())
    sheet.addEventListener('error', () => resolve())
  })
  document.head.append(sheet)
  return isLoaded
}

/** What is drawn, also while the code of the next page loads. */
interface Drawn extends PageProps {
  Component: ComponentType<PageProps>
}

/** The page of the address. The previous page stays until the code of the next one has loaded. */
export function Outlet() {
  const { path, query, url } = useLocation()
  const match = pageOf(path)
  const drawn = useRef<Drawn | null>(null)
  /** The source that was requested last, and whether its code has loaded. */
  const [arrival, setArrival] = useState<{ source: string; failed: boolean } | null>(null)
  const page = match?.page ?? null
  const ready = page === null ? undefined : loaded.get(page.source)
  const isFailed = arrival !== null && arrival.failed && arrival.source === page?.source
  useReturn(isFailed, () => setArrival(null))
  useEffect(() => {
    if (page === null || ready || isFailed) return
    const { source } = page
    loadPage(page).then(
      () => setArrival({ source, failed: false }),
      () => setArrival({ source, failed: true }),
    )
  }, [page, ready, isFailed])
  useLayoutEffect(() => clearCalls, [path])
  useWantedField()
  useArrival(path, page === null ? 'Not found' : page.title, ready !== undefined || page === null)

  if (page === null) return <NotFound />
  if (page.role !== undefined && !can(page.role)) return <NotAllowed page={page} least={page.role} />
  if (!ready && isFailed) return <NotLoaded url={url} />
  if (ready) drawn.current = { Component: ready, params: match!.params, query }
  if (drawn.current === null) return null
  const { Component, params, query: shown } = drawn.current
  // Another address of the same page, such as the next campaign, begins with new state.
  return <Component key={JSON.stringify(params)} params={params} query={shown} />
}

/**
 * Sets the title, and moves the focus to the heading after each navigation: at once, because the user may be typing a
 * moment later.
 */
function useArrival(path: string, title: string, isReady: boolean) {
  const isFirst = useRef(true)
  const about = subject.value
  useLayoutEffect(() => {
    if (isReady) document.title = [title, about, data.project?.name, 'Masthead'].filter(Boolean).join(' · ')
  }, [path, title, about, isReady])
  useLayoutEffect(() => {
    if (!isReady) return
    if (!isFirst.current) {
      scrollTo(0, 0)
      document.querySelector<HTMLElement>('[data-page-title]')?.focus({ preventScroll: true })
    }
    isFirst.current = false
  }, [path, isReady])
}

function NotFound() {
  return (
    <>
      <PageHead title="There is no page here" />
      <Empty
        sentence="The address is mistyped, or what it showed was deleted or belongs to another project."
        action={<Button href={link('/')}>Go to the first page</Button>}
      />
    </>
  )
}

function NotAllowed({ page, least }: { page: AppPage; least: NonNullable<AppPage['role']> }) {
  return (
    <>
      <PageHead title={page.title} />
      <Empty sentence={whoMay('This page', least)} action={<Button href={link('/')}>Go to the first page</Button>} />
    </>
  )
}

function NotLoaded({ url }: { url: string }) {
  const reason = isOutdated.value ? 'Masthead was updated.' : 'The code of this page could not be loaded.'
  return (
    <>
      <PageHead title="This page could not be opened" />
      <Empty sentence={reason} action={<Button onClick={() => location.assign(url)}>Load it again</Button>} />
    </>
  )
}
