// The consent runtime, the first script of pages that ask for consent (src/sites/visitor-consent.ts). It runs only the
// scripts that the visitor consented to, and tells Google's tags by Consent Mode. Minified it has at most 4 kB.
//
// Scripts with earlier consent are written into the document while it is parsed, at their own position, as if they had
// never been deactivated. Scripts with later consent start in a complete page: what they write is inserted beside them,
// and they receive the load events they missed.
;(() => {
  const page = document
  const view = window
  const { Event } = view
  const { previousSibling: template } = page.currentScript
  const { banner, gpc, mode, style } = template.dataset
  const [box, opener] = template.content.children
  const inputs = [...box.querySelectorAll('input')]
  const key = 'masthead.consent'
  const parsed = 'DOMContentLoaded'
  const listen = 'addEventListener'
  const kinds = ['functional', 'analytics', 'advertising']
  const each = (of) => Object.fromEntries(kinds.map((kind) => [kind, of(kind)]))
  let choice
  let tasks = Promise.resolve()

  // A sandboxed page has no storage; there a choice lasts until the page is closed.
  try {
    choice = JSON.parse(localStorage[key])
  } catch {}

  // Global Privacy Control refuses advertising. The server reads it from the request header, browsers expose it here.
  const refused = (kind) => kind === kinds[2] && (gpc || navigator.globalPrivacyControl)
  const allows = (kind) => !!choice?.[kind] && !refused(kind)
  const get = () => ({ decided: !!choice, ...each(allows) })

  // Consent Mode v2: https://developers.google.com/tag-platform/security/guides/consent
  const signal = (command) => {
    if (!mode) return
    const [extras, analytics, ads] = kinds.map((kind) => (allows(kind) ? 'granted' : 'denied'))
    view.dataLayer ||= []
    view.gtag ||= function () {
      view.dataLayer.push(arguments)
    }
    view.gtag('consent', command, {
      ad_storage: ads,
      ad_user_data: ads,
      ad_personalization: ads,
      analytics_storage: analytics,
      functionality_storage: extras,
      personalization_storage: extras,
      security_storage: 'granted',
      wait_for_update: choice ? 0 : 500,
    })
  }
  signal('default')

  const gated = (of) =>
    [...page.querySelectorAll(':is(script,template)[data-consent]')].filter(({ dataset }) => of(dataset.consent))

  // Whether an activated script makes this call: it is the current script, or its URL is in the stack of a callback.
  const sources = [key]
  let running
  const writer = () => page.currentScript?.[key] || running
  const isActivated = () => writer() || sources.some((source) => `${Error().stack}`.includes(`${source}:`))

  // Restores a script's type and gives an inline script a source URL. Returns true when later scripts must wait for it;
  // an async or nomodule script may never fire `load`.
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

  // Events that have already fired, in order. Late listeners are registered under a unique name, which changes in every
  // round. So each is called once, and the browser handles duplicates, removals and exceptions as usual.
  const past = {}
  let round = 0
  const repeat = () => {
    for (const type in past)
      past[type].dispatchEvent(
        Object.defineProperty(new Event(type + round, { bubbles: true }), 'type', { value: type }),
      )
    round++
  }

  // In a separate task, never between real events.
  const later = (action) => {
    tasks = tasks.then(() => new Promise(setTimeout)).then(action)
  }

  // `window.onload` and similar: many scripts call the handler they find, so a late script must not find the page's
  // own. Those are restored afterwards, and a handler that the script has set is called in this round.
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
      if (past[type] && isActivated()) {
        original.call(this, type + round, ...rest)
        later(repeat)
      }
    }
  }

  // Called by a script that the parser did not insert, each of these would clear the page.
  for (const method of ['write', 'writeln', 'open']) {
    const original = page[method]
    page[method] = (...parts) => {
      const put = writer()
      if (!put && ((!past[parsed] && page.currentScript) || !isActivated())) return original.apply(page, parts)
      // oxlint-disable-next-line no-console
      if (!put) console.warn(`document.${method} too late`)
      else if (method !== 'open') put(parts.join('') + (method === 'write' ? '' : '\n'))
      return page
    }
  }

  // Activates a gated element, and what it writes. Completes synchronously when nothing has to load.
  let lowest
  const run = async (held) => {
    const end = page.createComment('')
    const queue = []
    let text = ''
    let blocked
    const put = (more, all) => {
      text += more
      // An element that is still open absorbs the `<wbr>`. Content of a template neither loads nor runs.
      template.innerHTML = `${text}<wbr>`
      if (!all && template.content.lastChild?.nodeName !== 'WBR') return
      const content = page.createRange().createContextualFragment(text)
      const scripts = content.querySelectorAll('script')
      // Content in a head is not rendered. As with the parser, it moves to the beginning of the body.
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
    // Another script has removed its position from the page.
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

  // In document order, each after the previous one has loaded.
  const activate = () => {
    view[key] = null
    if (past[parsed])
      later(async () => {
        for (const held of gated(allows)) await run(held).catch(() => {})
        repeat()
      })
  }

  // Called while parsing, after each gated script.
  view[key] = () => {
    for (const held of gated(allows)) {
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
    host.remove()
    // A running script cannot be stopped, so withdrawing consent reloads the page.
    if (!before.every(allows)) return location.reload()
    signal('update')
    offer()
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

  // A shadow root with a sheet of its own, which no Content-Security-Policy of the page forbids. The page's styles for
  // all elements do not reach it; the font is the page's.
  const host = page.createElement('div')
  const shadow = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  shadow.adoptedStyleSheets = [sheet]
  host.style = 'all:initial;font-family:inherit'

  // The question, with the present choice; once it is answered, the button that asks it again.
  const show = () => {
    for (const input of inputs) input.checked = allows(input.name)
    shadow.replaceChildren(box)
    page.body.prepend(host)
  }
  const offer = () => {
    host.remove()
    shadow.replaceChildren(opener)
    if (banner) page.body.append(host)
  }
  box.tabIndex = -1
  box.onkeydown = ({ key: pressed }) => {
    if (pressed !== 'Escape') return
    if (choice) offer()
    else all(false)
  }
  box.onclick = ({ target: { value } }) => {
    if (value > 1) set(Object.fromEntries(inputs.map(({ name, checked }) => [name, checked])))
    else if (value) all(value > 0)
  }
  opener.onclick = () => {
    show()
    box.focus()
  }

  view.masthead = { consent: { get, set, accept: () => all(true), decline: () => all(false), withdraw, show } }
  page[listen](parsed, () => {
    past[parsed] = page
    activate()
    if (choice) offer()
    else if (banner && gated((kind) => !refused(kind))[0]) show()
  })
  view[listen]('load', () => {
    past.readystatechange = page
    past.load = view
    past.pageshow = view
  })
})()
