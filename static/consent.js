// Runs in the pages of sites that ask for consent (src/sites/consent.ts): in force is what the visitor agreed to.
// A page carries it without its blanks, comments and long names: at most 3 kB.
//
// What was agreed to before is handed to the parser where it stands, as if it had never been held back. What is agreed
// to later comes into a page that is complete: what it writes is put beside it, and it is told of the events it missed.
;(() => {
  const page = document
  const view = window
  const { Event } = view
  const { previousSibling: template } = page.currentScript
  const { banner, gpc, style } = template.dataset
  const box = template.content.firstChild
  const key = 'masthead.consent'
  const parsed = 'DOMContentLoaded'
  const listen = 'addEventListener'
  const kinds = ['functional', 'analytics', 'advertising']
  const each = (of) => Object.fromEntries(kinds.map((kind) => [kind, of(kind)]))
  let choice
  let turn = Promise.resolve()

  // A page in a sandbox has no storage: there a choice holds as long as the page.
  try {
    choice = JSON.parse(localStorage[key])
  } catch {}

  // Global Privacy Control is about advertising. It comes by the request's header or by the browser itself.
  const refused = (kind) => kind === kinds[2] && (gpc || navigator.globalPrivacyControl)
  const allows = (kind) => !!choice?.[kind] && !refused(kind)
  const get = () => ({ decided: !!choice, ...each(allows) })
  const heldBack = (of) =>
    [...page.querySelectorAll(':is(script,template)[data-consent]')].filter(({ dataset }) => of(dataset.consent))

  // Whether a released script makes this call: one that runs now, or one whose address is in the stack of a callback.
  const sources = [key]
  let running
  const writer = () => page.currentScript?.[key] || running
  const isReleased = () => writer() || sources.some((source) => `${Error().stack}`.includes(`${source}:`))

  // Gives a script its type back, and an address if it has none; true for one that the next have to wait for. Others
  // may never say that they have loaded.
  const restore = (script) => {
    const { dataset } = script
    script.type = dataset.consentType || ''
    delete dataset.consent
    if (!/^$|javascript$|^module/i.test(script.type)) return
    if (script.src) {
      sources.push(script.src)
      return !script.matches('[async],[nomodule]')
    }
    script.text += `\n//# sourceURL=${key}`
  }

  // Events that are over, in their order. Late listeners get them under a name that no other listener has, nor has it
  // in the next round: so each is called once, and the browser sees to doubles, removals and faults as ever.
  const past = {}
  let round = 0
  const repeat = () => {
    for (const type in past)
      past[type].dispatchEvent(
        Object.defineProperty(new Event(type + round, { bubbles: true }), 'type', { value: type }),
      )
    round++
  }

  // In a task of its own: never amid the real events.
  const later = (action) => {
    turn = turn.then(() => new Promise(setTimeout)).then(action)
  }

  // `window.onload` and its like: a late script must not find the page's own, as many call what they find. Those are
  // given back after it, and what it has set is called in this round.
  const swapHandlers = (own) =>
    Object.entries(past).map(([type, target], i) => {
      const found = target[`on${type}`]
      target[`on${type}`] = own?.[i]
      if (own && found) target[listen](type + round, found)
      return found
    })

  const { prototype } = EventTarget
  for (const method of [listen, 'removeEventListener']) {
    const original = prototype[method]
    prototype[method] = function (type, ...rest) {
      original.call(this, type, ...rest)
      if (past[type] && isReleased()) {
        original.call(this, type + round, ...rest)
        later(repeat)
      }
    }
  }

  // Called by a script that the parser did not bring, each of them clears the page.
  for (const method of ['write', 'writeln', 'open']) {
    const original = page[method]
    page[method] = (...parts) => {
      const put = writer()
      if (!put && ((!past[parsed] && page.currentScript) || !isReleased())) return original.apply(page, parts)
      // oxlint-disable-next-line no-console
      if (!put) console.warn(`document.${method} too late`)
      else if (method !== 'open') put(parts.join('') + (method === 'write' ? '' : '\n'))
      return page
    }
  }

  // Puts in force what is held back, and what it writes in its turn. Is done without a pause where nothing has to load.
  let lowest
  const run = async (held) => {
    const end = page.createComment('')
    const queue = []
    let text = ''
    let blocked
    const put = (more, all) => {
      text += more
      // What is open still takes the mark in. A template loads and runs nothing.
      template.innerHTML = `${text}<wbr>`
      if (!all && template.content.lastChild?.nodeName !== 'WBR') return
      const content = page.createRange().createContextualFragment(text)
      const scripts = content.querySelectorAll('script')
      // Nothing is seen in a head: as with the parser, it goes to the beginning of the body.
      if (text && end.parentNode === page.head) {
        if (lowest) lowest.after(end)
        else page.body.prepend(end)
        lowest = end
      }
      text = ''
      for (const script of scripts) {
        script.dataset.consentType = script.type
        script.type = 'held'
      }
      end.before(content)
      for (const script of scripts) {
        blocked = blocked || script.src
        queue.push(blocked ? script : run(script))
      }
    }
    held.replaceWith(end)
    // Another script has taken its place away.
    if (!end.isConnected) page.body.append(end)
    if (held.content) text = held.innerHTML
    else {
      const isAwaited = restore(held)
      const own = swapHandlers()
      const outer = running
      running = put
      end.before(held)
      running = outer
      if (isAwaited) {
        held[key] = put
        await new Promise((done) => {
          held[listen]('load', done)
          held[listen]('error', done)
        })
      }
      swapHandlers(own)
    }
    put('', true)
    for (const next of queue) await (next.then ? next : run(next))
  }

  // In the order of the page, each after the one before it has loaded.
  const activate = () => {
    view[key] = null
    if (past[parsed])
      later(async () => {
        for (const held of heldBack(allows)) await run(held).catch(() => {})
        repeat()
      })
  }

  // The parser calls it behind all that is held back.
  view[key] = () => {
    for (const held of heldBack(allows)) {
      held.remove()
      restore(held)
      page.write(held.content ? held.innerHTML : held.outerHTML)
    }
  }

  const set = (wanted) => {
    const before = kinds.filter(allows)
    choice = { ...choice, ...wanted }
    try {
      localStorage[key] = JSON.stringify(choice)
    } catch {}
    box.remove()
    // What runs cannot be taken back: only a new page is without it.
    if (!before.every(allows)) return location.reload()
    activate()
    page.dispatchEvent(new CustomEvent(key, { detail: get() }))
  }
  const all = (value) => set(each(() => value))

  const withdraw = () => {
    try {
      delete localStorage[key]
    } catch {}
    location.reload()
  }

  const show = () => page.body.prepend(box)
  box.style = style
  box.onclick = ({ target: { value } }) => value && all(value > 0)

  view.masthead = { consent: { get, set, accept: () => all(true), decline: () => all(false), withdraw, show } }
  page[listen](parsed, () => {
    past[parsed] = page
    activate()
    if (banner && !choice && heldBack((kind) => !refused(kind))[0]) show()
  })
  view[listen]('load', () => {
    past.readystatechange = page
    past.load = view
    past.pageshow = view
  })
})()
