import { eq } from 'drizzle-orm'
import { h } from 'preact'
import type { DocumentData } from '../../src/shared/app-document.ts'
import { projects } from '../../src/store/tables/accounts.ts'
import { newSession } from './session.ts'
import type { Tab } from './tab.ts'
import { drawPage } from './visit.ts'
import type { World } from './world.ts'

/** A tab whose calls a real service answers: the whole application without a browser. */
export interface ServiceTab {
  /** Status and address of each call that was refused. */
  refused: string[]
  /**
   * Opens a page, `/portal/…`, with what the service puts into its document, and waits until all answers are drawn.
   * A page that the service draws itself is shown without its scripts.
   */
  open(address: string): Promise<void>
}

/** The functions of the runtime, before a tab takes their place. */
const network = globalThis.fetch

/** Makes the service of a world answer the calls of a tab, to one of its people. */
export async function answeredBy(
  world: World,
  tab: Tab,
  person: Parameters<typeof newSession>[1],
): Promise<ServiceTab> {
  await rename(world)
  const { name, value } = await newSession(world, person, { confirmed_at: world.clock.now() })
  const waiting = new Set<Promise<Response>>()
  const refused: string[] = []
  const ask = async (path: string, method = 'GET', body: unknown = null): Promise<Response> => {
    const headers = { Cookie: `${name}=${value}`, Origin: world.url, 'Content-Type': 'application/json' }
    const content = body === null ? null : JSON.stringify(body)
    const answer = await network(world.url + path, { method, headers, body: content })
    if (answer.status >= 400) refused.push(`${answer.status} ${path}`)
    return answer
  }
  tab.answers = new Proxy(tab.answers, {
    has: () => true,
    get:
      () =>
      (body: unknown, { url, method }: Tab['calls'][number]) => {
        const answer = ask(url, method, body)
        waiting.add(answer)
        void answer.finally(() => waiting.delete(answer))
        return answer
      },
  })
  return {
    refused,
    async open(address) {
      const html = await (await ask(address)).text()
      const written = new DOMParser().parseFromString(html, 'text/html')
      const data = written.getElementById('data')?.textContent
      // The page before reads its own data until it has gone.
      await tab.draw(h('div', null))
      document.querySelector('#written')?.remove()
      if (!data) {
        const page = Object.assign(document.createElement('div'), { id: 'written' })
        page.append(...written.body.childNodes)
        document.body.append(page)
        return
      }
      // Without the answers in the document, each call of the page is made.
      Object.assign(tab.data, JSON.parse(data) as DocumentData, { answers: {} })
      await drawPage(tab, address)
      do {
        await Promise.all(waiting)
        await tab.settled()
      } while (waiting.size > 0)
    },
  }
}

/** Parts of pages keep the address that they were loaded at. So the project has that of all other tests of pages. */
async function rename({ service, project }: World): Promise<void> {
  project.slug = 'harbour'
  await service.runtime.store.write((tx) =>
    tx.update(projects).set({ slug: project.slug }).where(eq(projects.id, project.id)),
  )
}
