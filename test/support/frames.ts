import { act } from 'preact/test-utils'
import { send, type Tab } from './tab.ts'

/** An empty document as a frame holds it, and the frame as far as what is put into it looks at one. */
export function emptyFrame(): { contentDocument: Document; contentWindow: object } {
  const inside = new DOMParser().parseFromString('', 'text/html')
  // happy-dom allows no second root, not even in the place of the first.
  inside.replaceChild = (root, old) => {
    inside.removeChild(old)
    inside.append(root)
    return old
  }
  return { contentDocument: inside, contentWindow: { DOMParser } }
}

/** Loads a frame that is drawn, which happy-dom does not. Answers the document that it holds. */
export async function loadFrame(tab: Tab, frame: HTMLElement = tab.find('iframe')): Promise<Document> {
  const loaded = emptyFrame()
  for (const [name, value] of Object.entries(loaded)) Object.defineProperty(frame, name, { value, configurable: true })
  await act(() => void send(frame, 'load', {}, false))
  await tab.settled()
  return loaded.contentDocument
}

/** An element that is watched for its size, or for whether it is seen. */
export interface Watched {
  target: Element
  isOver: boolean
  /** Tells what has become of it. */
  tell(entry?: object): Promise<void>
}

/** Stands in for the observers of a browser until the end of a test. Answers what they watch. */
export function watches(tab: Tab, name: 'ResizeObserver' | 'IntersectionObserver'): Watched[] {
  const all: Watched[] = []
  class Observer {
    readonly own: Watched[] = []
    constructor(readonly told: (entries: object[]) => void) {}
    observe(target: Element): void {
      const tell = async (entry: object = {}) => {
        await act(() => this.told([entry]))
        await tab.settled()
      }
      const watched = { target, isOver: false, tell }
      this.own.push(watched)
      all.push(watched)
    }
    disconnect(): void {
      for (const one of this.own) one.isOver = true
    }
  }
  // The next tab has its own again.
  Object.assign(globalThis, { [name]: Observer })
  return all
}
