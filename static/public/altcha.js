(()=>{var Ci=Array.isArray,$o=Array.prototype.indexOf,Mt=Array.prototype.includes,Io=Array.from,{keys:xr,defineProperty:ir,getOwnPropertyDescriptor:Ft,getOwnPropertyDescriptors:Ro,prototype:jo}=Object,Po=Array.prototype,{getPrototypeOf:xi,isExtensible:oi}=Object,ht=()=>{};function Vo(e){for(var t=0;t<e.length;t++)e[t]()}function Si(){var e,t,r=new Promise((a,i)=>{e=a,t=i});return{promise:r,resolve:e,reject:t}}var ge=2,Nt=4,Ir=8,Ca=16777216,Me=16,Xe=32,nt=64,sa=128,Ve=512,fe=1024,he=2048,Qe=4096,ze=8192,qe=16384,bt=32768,ca=33554432,gt=65536,Sr=131072,zo=262144,It=524288,Oo=1048576,Et=65536,Tr=2097152,Ht=4194304,vt=8388608,Dt=Symbol("$state"),Fo=Symbol("legacy props"),Ho=Symbol(""),Ti=Symbol("attributes"),ua=Symbol("class"),fa=Symbol("style"),da=Symbol("text"),er=Symbol("form reset"),Rr=new class extends Error{name="StaleReactionError";message="The reaction that called `getAbortSignal()` was re-run or destroyed"},or=!!globalThis.document?.contentType&&globalThis.document.contentType.includes("xml"),lr=3,sr=8;function Ei(e){return e===this.v}function Li(e,t){return e!=e?t==t:e!==t||e!==null&&typeof e==="object"||typeof e==="function"}function Do(e){return!Li(e,this.v)}function Mo(e){throw Error("https://svelte.dev/e/lifecycle_outside_component")}function No(){throw Error("https://svelte.dev/e/async_derived_orphan")}function Uo(e){throw Error("https://svelte.dev/e/effect_in_teardown")}function qo(){throw Error("https://svelte.dev/e/effect_in_unowned_derived")}function Ko(e){throw Error("https://svelte.dev/e/effect_orphan")}function Bo(){throw Error("https://svelte.dev/e/effect_update_depth_exceeded")}function Go(){throw Error("https://svelte.dev/e/hydration_failed")}function Wo(){throw Error("https://svelte.dev/e/state_descriptors_fixed")}function Yo(){throw Error("https://svelte.dev/e/state_prototype_fixed")}function Zo(){throw Error("https://svelte.dev/e/state_unsafe_mutation")}function Jo(){throw Error("https://svelte.dev/e/svelte_boundary_reset_onerror")}var Xo=1,Qo=2,xa="[",$i="[!",li="[?",Ii="]",Lt={},se=Symbol("uninitialized"),Ri="http://www.w3.org/1999/xhtml",el="http://www.w3.org/2000/svg",tl="http://www.w3.org/1998/Math/MathML",rl="@attach",xe=null;function Ut(e){xe=e}function st(e,t=!1,r){xe={p:xe,i:!1,c:null,e:null,s:e,x:null,r:I,l:null}}function ct(e){var t=xe,r=t.e;if(r!==null){t.e=null;for(var a of r)cn(a)}if(e!==void 0)t.x=e;return t.i=!0,xe=t.p,e??{}}function ji(){return!0}var At=[];function Pi(){var e=At;At=[],Vo(e)}function it(e){if(At.length===0&&!tr){var t=At;queueMicrotask(()=>{if(t===At)Pi()})}At.push(e)}function al(){while(At.length>0)Pi()}function il(){console.warn("https://svelte.dev/e/derived_inert")}function cr(e){console.warn("https://svelte.dev/e/hydration_mismatch")}function nl(){console.warn("https://svelte.dev/e/select_multiple_invalid_value")}function ol(){console.warn("https://svelte.dev/e/svelte_boundary_reset_noop")}var R=!1;function Je(e){R=e}var O;function ye(e){if(e===null)throw cr(),Lt;return O=e}function $t(){return ye(tt(O))}function Z(e){if(!R)return;if(tt(O)!==null)throw cr(),Lt;O=e}function Sa(e=1){if(R){var t=e,r=O;while(t--)r=tt(r);O=r}}function Ta(e=!0){var t=0,r=O;while(!0){if(r.nodeType===sr){var a=r.data;if(a===Ii){if(t===0)return r;t-=1}else if(a===xa||a===$i||a[0]==="["&&!isNaN(Number(a.slice(1))))t+=1}var i=tt(r);if(e)r.remove();r=i}}function Vi(e){if(!e||e.nodeType!==sr)throw cr(),Lt;return e.data}function at(e){if(typeof e!=="object"||e===null||Dt in e)return e;let t=xi(e);if(t!==jo&&t!==Po)return e;var r=new Map,a=Ci(e),i=P(0),o=Tt,s=(l)=>{if(Tt===o)return l();var f=H,c=Tt;Fe(null),vi(o);var d=l();return Fe(f),vi(c),d};if(a)r.set("length",P(e.length));return new Proxy(e,{defineProperty(l,f,c){if(!("value"in c)||c.configurable===!1||c.enumerable===!1||c.writable===!1)Wo();var d=r.get(f);if(d===void 0)s(()=>{var g=P(c.value);return r.set(f,g),g});else A(d,c.value,!0);return!0},deleteProperty(l,f){var c=r.get(f);if(c===void 0){if(f in l){let d=s(()=>P(se));r.set(f,d),rr(i)}}else A(c,se),rr(i);return!0},get(l,f,c){if(f===Dt)return e;var d=r.get(f),g=f in l;if(d===void 0&&(!g||Ft(l,f)?.writable))d=s(()=>{var m=at(g?l[f]:se),p=P(m);return p}),r.set(f,d);if(d!==void 0){var h=n(d);return h===se?void 0:h}return Reflect.get(l,f,c)},getOwnPropertyDescriptor(l,f){var c=Reflect.getOwnPropertyDescriptor(l,f);if(c&&"value"in c){var d=r.get(f);if(d)c.value=n(d)}else if(c===void 0){var g=r.get(f),h=g?.v;if(g!==void 0&&h!==se)return{enumerable:!0,configurable:!0,value:h,writable:!0}}return c},has(l,f){if(f===Dt)return!0;var c=r.get(f),d=c!==void 0&&c.v!==se||Reflect.has(l,f);if(c!==void 0||I!==null&&(!d||Ft(l,f)?.writable)){if(c===void 0)c=s(()=>{var h=d?at(l[f]):se,m=P(h);return m}),r.set(f,c);var g=n(c);if(g===se)return!1}return d},set(l,f,c,d){var g=r.get(f),h=f in l;if(a&&f==="length")for(var m=c;m<g.v;m+=1){var p=r.get(m+"");if(p!==void 0)A(p,se);else if(m in l)p=s(()=>P(se)),r.set(m+"",p)}if(g===void 0){if(!h||Ft(l,f)?.writable)g=s(()=>P(void 0)),A(g,at(c)),r.set(f,g)}else{h=g.v!==se;var y=s(()=>at(c));A(g,y)}var T=Reflect.getOwnPropertyDescriptor(l,f);if(T?.set)T.set.call(d,c);if(!h){if(a&&typeof f==="string"){var L=r.get("length"),J=Number(f);if(Number.isInteger(J)&&J>=L.v)A(L,J+1)}rr(i)}return!0},ownKeys(l){n(i);var f=Reflect.ownKeys(l).filter((g)=>{var h=r.get(g);return h===void 0||h.v!==se});for(var[c,d]of r)if(d.v!==se&&!(c in l))f.push(c);return f},setPrototypeOf(){Yo()}})}function si(e){try{if(e!==null&&typeof e==="object"&&Dt in e)return e[Dt]}catch{}return e}function ll(e,t){return Object.is(si(e),si(t))}var xt,ha,zi,Oi,Fi;function va(){if(xt!==void 0)return;xt=window,ha=document,zi=/Firefox/.test(navigator.userAgent);var e=Element.prototype,t=Node.prototype,r=Text.prototype;if(Oi=Ft(t,"firstChild").get,Fi=Ft(t,"nextSibling").get,oi(e))e[ua]=void 0,e[Ti]=null,e[fa]=void 0,e.__e=void 0;if(oi(r))r[da]=void 0}function Ke(e=""){return document.createTextNode(e)}function Le(e){return Oi.call(e)}function tt(e){return Fi.call(e)}function re(e,t){if(!R)return Le(e);var r=Le(O);if(r===null)r=O.appendChild(Ke());else if(t&&r.nodeType!==lr){var a=Ke();return r?.before(a),ye(a),a}if(t)jr(r);return ye(r),r}function zt(e,t=!1){if(!R){var r=Le(e);if(r instanceof Comment&&r.data==="")return tt(r);return r}if(t){if(O?.nodeType!==lr){var a=Ke();return O?.before(a),ye(a),a}jr(O)}return O}function X(e,t=1,r=!1){let a=R?O:e;var i;while(t--)i=a,a=tt(a);if(!R)return a;if(r){if(a?.nodeType!==lr){var o=Ke();if(a===null)i?.after(o);else a.before(o);return ye(o),o}jr(a)}return ye(a),a}function sl(e){e.textContent=""}function cl(){return!1}function Ea(e,t,r){let a=void 0;return document.createElementNS(t??Ri,e,a)}function jr(e){if(e.nodeValue.length<65536)return;let t=e.nextSibling;while(t!==null&&t.nodeType===lr)t.remove(),e.nodeValue+=t.nodeValue,t=e.nextSibling}function Hi(e){var t=I;if(t===null)return H.f|=vt,e;if((t.f&bt)===0&&(t.f&Nt)===0)throw e;dt(e,t)}function dt(e,t){while(t!==null){if((t.f&sa)!==0){if((t.f&bt)===0)throw e;try{t.b.error(e);return}catch(r){e=r}}t=t.parent}throw e}var ul=-7169;function oe(e,t){e.f=e.f&ul|t}function La(e){if((e.f&Ve)!==0||e.deps===null)oe(e,fe);else oe(e,Qe)}function Di(e){if(e===null)return;for(let t of e){if((t.f&ge)===0||(t.f&Et)===0)continue;t.f^=Et,Di(t.deps)}}function Mi(e,t,r){if((e.f&he)!==0)t.add(e);else if((e.f&Qe)!==0)r.add(e);Di(e.deps),oe(e,fe)}function Ni(e,t,r){if(e==null)return t(void 0),ht;let a=dr(()=>e.subscribe(t,r));return a.unsubscribe?()=>a.unsubscribe():a}var Pt=[];function fl(e,t=ht){let r=null,a=new Set;function i(l){if(Li(e,l)){if(e=l,r){let f=!Pt.length;for(let c of a)c[1](),Pt.push(c,e);if(f){for(let c=0;c<Pt.length;c+=2)Pt[c][0](Pt[c+1]);Pt.length=0}}}}function o(l){i(l(e))}function s(l,f=ht){let c=[l,f];if(a.add(c),a.size===1)r=t(i,o)||ht;return l(e),()=>{if(a.delete(c),a.size===0&&r)r(),r=null}}return{set:i,update:o,subscribe:s}}function Xt(e){let t;return Ni(e,(r)=>t=r)(),t}var ga=Symbol("unmounted");function ci(e,t,r){let a=r[t]??={store:null,source:Xi(void 0),unsubscribe:ht};if(a.store!==e&&!(ga in r))if(a.unsubscribe(),a.store=e??null,e==null)a.source.v=void 0,a.unsubscribe=ht;else{var i=!0;a.unsubscribe=Ni(e,(o)=>{if(i)a.source.v=o;else A(a.source,o)}),i=!1}if(e&&ga in r)return Xt(e);return n(a.source)}function dl(){let e={};function t(){Vr(()=>{for(var r in e)e[r].unsubscribe();ir(e,ga,{enumerable:!1,value:!0})})}return[e,t]}var ta=null,Vt=null,j=null,pa=null,Ne=null,ba=null,tr=!1,ra=!1,Ot=null,Ar=null,ui=0;var hl=1;class ot{id=hl++;#e=!1;linked=!0;#t=null;#r=null;async_deriveds=new Map;current=new Map;previous=new Map;unblocked=new Set;#s=new Set;#a=new Set;#n=new Set;#i=0;#o=new Map;#d=null;#l=[];#v=[];#h=new Set;#c=new Set;#u=new Map;#f=new Set;is_fork=!1;#b=!1;#w(){if(this.is_fork)return!0;for(let r of this.#o.keys()){var e=r,t=!1;while(e.parent!==null){if(this.#u.has(e)){t=!0;break}e=e.parent}if(!t)return!0}return!1}skip_effect(e){if(!this.#u.has(e))this.#u.set(e,{d:[],m:[]});this.#f.delete(e)}unskip_effect(e,t=(r)=>this.schedule(r)){var r=this.#u.get(e);if(r){this.#u.delete(e);for(var a of r.d)oe(a,he),t(a);for(a of r.m)oe(a,Qe),t(a)}this.#f.add(e)}#p(){if(this.#e=!0,ui++>1000)this.#k(),vl();if(!this.#w()){for(let l of this.#h)this.#c.delete(l),oe(l,he),this.schedule(l);for(let l of this.#c)oe(l,Qe),this.schedule(l)}let e=this.#l;this.#l=[],this.apply();var t=Ot=[],r=[],a=Ar=[];for(let l of e)try{this.#A(l,t,r)}catch(f){throw Ki(l),f}if(j=null,a.length>0){var i=ot.ensure();for(let l of a)i.schedule(l)}if(Ot=null,Ar=null,this.#w()){this.#g(r),this.#g(t);for(let[l,f]of this.#u)qi(l,f);if(a.length>0)j.#p();return}let o=this.#_();if(o){o.#m(this);return}this.#h.clear(),this.#c.clear();for(let l of this.#s)l(this);this.#s.clear(),pa=this,fi(r),fi(t),pa=null,this.#d?.resolve();var s=j;if(this.linked&&this.#i===0)this.#k();if(this.#l.length>0){if(s===null)s=this,this.#y();let l=s;l.#l.push(...this.#l.filter((f)=>!l.#l.includes(f)))}if(s!==null)s.#p()}#A(e,t,r){e.f^=fe;var a=e.first;while(a!==null){var i=a.f,o=(i&(Xe|nt))!==0,s=o&&(i&fe)!==0,l=s||(i&ze)!==0||this.#u.has(a);if(!l&&a.fn!==null){if(o)a.f^=fe;else if((i&Nt)!==0)t.push(a);else if(fr(a)){if((i&Me)!==0)this.#c.add(a);qt(a)}var f=a.first;if(f!==null){a=f;continue}}while(a!==null){var c=a.next;if(c!==null){a=c;break}a=a.parent}}}#_(){var e=this.#t;while(e!==null){if(!e.is_fork){for(let[t,[,r]]of this.current)if(e.current.has(t)&&!r)return e}e=e.#t}return null}#m(e){for(let[r,a]of e.current){if(!this.previous.has(r)&&e.previous.has(r))this.previous.set(r,e.previous.get(r));this.current.set(r,a)}for(let[r,a]of e.async_deriveds){let i=this.async_deriveds.get(r);if(i)a.promise.then(i.resolve)}let t=(r)=>{var a=r.reactions;if(a===null)return;for(let s of a){var i=s.f;if((i&ge)!==0)t(s);else{var o=s;if(i&(Ht|Me)&&!this.async_deriveds.has(o))this.#c.delete(o),oe(o,he),this.schedule(o)}}};for(let r of this.current.keys())t(r);this.oncommit(()=>e.discard()),e.#k(),j=this,this.#p()}#g(e){for(var t=0;t<e.length;t+=1)Mi(e[t],this.#h,this.#c)}capture(e,t,r=!1){if(e.v!==se&&!this.previous.has(e))this.previous.set(e,e.v);if((e.f&vt)===0)this.current.set(e,[t,r]),Ne?.set(e,t);if(!this.is_fork)e.v=t}activate(){j=this}deactivate(){j=null,Ne=null}flush(){try{ra=!0,j=this,this.#p()}finally{ui=0,ba=null,Ot=null,Ar=null,ra=!1,j=null,Ne=null,St.clear()}}discard(){for(let e of this.#a)e(this);this.#a.clear(),this.#n.clear(),this.#k()}register_created_effect(e){this.#v.push(e)}#C(){this.#k();for(let c=ta;c!==null;c=c.#r){var e=c.id<this.id,t=[];for(let[d,[g,h]]of this.current){if(c.current.has(d)){var r=c.current.get(d)[0];if(e&&g!==r)c.current.set(d,[g,h]);else continue}t.push(d)}if(e)for(let[d,g]of this.async_deriveds){let h=c.async_deriveds.get(d);if(h)g.promise.then(h.resolve)}if(!c.#e)continue;var a=[...c.current.keys()].filter((d)=>!this.current.has(d));if(a.length===0){if(e)c.discard()}else if(t.length>0){if(e)for(let d of this.#f)c.unskip_effect(d,(g)=>{if((g.f&(Me|Ht))!==0)c.schedule(g);else c.#g([g])});c.activate();var i=new Set,o=new Map;for(var s of t)Ui(s,a,i,o);o=new Map;var l=[...c.current.keys()].filter((d)=>this.current.has(d)?this.current.get(d)[0]!==d.v:!0);if(l.length>0){for(let d of this.#v)if((d.f&(qe|ze|Sr))===0&&$a(d,l,o))if((d.f&(Ht|Me))!==0)oe(d,he),c.schedule(d);else c.#h.add(d)}if(c.#l.length>0){c.apply();for(var f of c.#l)c.#A(f,[],[]);c.#l=[]}c.deactivate()}}}increment(e,t){if(this.#i+=1,e){let r=this.#o.get(t)??0;this.#o.set(t,r+1)}}decrement(e,t){if(this.#i-=1,e){let r=this.#o.get(t)??0;if(r===1)this.#o.delete(t);else this.#o.set(t,r-1)}if(this.#b)return;this.#b=!0,it(()=>{if(this.#b=!1,this.linked)this.flush()})}transfer_effects(e,t){for(let r of e)this.#h.add(r);for(let r of t)this.#c.add(r);e.clear(),t.clear()}oncommit(e){this.#s.add(e)}ondiscard(e){this.#a.add(e)}on_fork_commit(e){this.#n.add(e)}run_fork_commit_callbacks(){for(let e of this.#n)e(this);this.#n.clear()}settled(){return(this.#d??=Si()).promise}static ensure(){if(j===null){let e=j=new ot;if(e.#y(),!ra&&!tr)it(()=>{if(!e.#e)e.flush()})}return j}apply(){{Ne=null;return}}schedule(e){if(ba=e,e.b?.is_pending&&(e.f&(Nt|Ir|Ca))!==0&&(e.f&bt)===0){e.b.defer_effect(e);return}var t=e;while(t.parent!==null){t=t.parent;var r=t.f;if(Ot!==null&&t===I){if(H===null||(H.f&ge)===0)return}if((r&(nt|Xe))!==0){if((r&fe)===0)return;t.f^=fe}}this.#l.push(t)}#y(){if(Vt===null)ta=Vt=this;else Vt.#r=this,this.#t=Vt;Vt=this}#k(){var e=this.#t,t=this.#r;if(e===null)ta=t;else e.#r=t;if(t===null)Vt=e;else t.#t=e;this.linked=!1}}function G(e){var t=tr;tr=!0;try{var r;while(!0){if(al(),j===null)return r;j.flush()}}finally{tr=t}}function vl(){try{Bo()}catch(e){dt(e,ba)}}var rt=null;function fi(e){var t=e.length;if(t===0)return;var r=0;while(r<t){var a=e[r++];if((a.f&(qe|ze))===0&&fr(a)){if(rt=new Set,qt(a),a.deps===null&&a.first===null&&a.nodes===null&&a.teardown===null&&a.ac===null)hn(a);if(rt?.size>0){St.clear();for(let i of rt){if((i.f&(qe|ze))!==0)continue;let o=[i],s=i.parent;while(s!==null){if(rt.has(s))rt.delete(s),o.push(s);s=s.parent}for(let l=o.length-1;l>=0;l--){let f=o[l];if((f.f&(qe|ze))!==0)continue;qt(f)}}rt.clear()}}}rt=null}function Ui(e,t,r,a){if(r.has(e))return;if(r.add(e),e.reactions!==null)for(let i of e.reactions){let o=i.f;if((o&ge)!==0)Ui(i,t,r,a);else if((o&(Ht|Me))!==0&&(o&he)===0&&$a(i,t,a))oe(i,he),Ia(i)}}function $a(e,t,r){let a=r.get(e);if(a!==void 0)return a;if(e.deps!==null)for(let i of e.deps){if(Mt.call(t,i))return!0;if((i.f&ge)!==0&&$a(i,t,r))return r.set(i,!0),!0}return r.set(e,!1),!1}function Ia(e){j.schedule(e)}function qi(e,t){if((e.f&Xe)!==0&&(e.f&fe)!==0)return;if((e.f&he)!==0)t.d.push(e);else if((e.f&Qe)!==0)t.m.push(e);oe(e,fe);var r=e.first;while(r!==null)qi(r,t),r=r.next}function Ki(e){oe(e,fe);var t=e.first;while(t!==null)Ki(t),t=t.next}function gl(e){let t=0,r=ur(0),a;return()=>{if(Pa())n(r),zr(()=>{if(t===0)a=dr(()=>e(()=>rr(r)));return t+=1,()=>{it(()=>{if(t-=1,t===0)a?.(),a=void 0,rr(r)})}})}}var pl=gt|It;function bl(e,t,r,a){new Bi(e,t,r,a)}class Bi{parent;is_pending=!1;transform_error;#e;#t=R?O:null;#r;#s;#a;#n=null;#i=null;#o=null;#d=null;#l=0;#v=0;#h=!1;#c=new Set;#u=new Set;#f=null;#b=gl(()=>(this.#f=ur(this.#l),()=>{this.#f=null}));constructor(e,t,r,a){if(this.#e=e,this.#r=t,this.#s=(i)=>{var o=I;o.b=this,o.f|=sa,r(i)},this.parent=I.b,this.transform_error=a??this.parent?.transform_error??((i)=>i),this.#a=hr(()=>{if(R){let i=this.#t;$t();let o=i.data===$i;if(i.data.startsWith(li)){let l=JSON.parse(i.data.slice(li.length));this.#p(l)}else if(o)this.#A();else this.#w()}else this.#_()},pl),R)this.#e=O}#w(){try{this.#n=De(()=>this.#s(this.#e))}catch(e){this.error(e)}}#p(e){let t=this.#r.failed;if(!t)return;this.#o=De(()=>{t(this.#e,()=>e,()=>()=>{})})}#A(){let e=this.#r.pending;if(!e)return;this.is_pending=!0,this.#i=De(()=>e(this.#e)),it(()=>{var t=this.#d=document.createDocumentFragment(),r=Ke();if(t.append(r),this.#n=this.#g(()=>De(()=>this.#s(r))),this.#v===0)this.#e.before(t),this.#d=null,ar(this.#i,()=>{this.#i=null}),this.#m(j)})}#_(){try{if(this.is_pending=this.has_pending_snippet(),this.#v=0,this.#l=0,this.#n=De(()=>{this.#s(this.#e)}),this.#v>0){var e=this.#d=document.createDocumentFragment();pn(this.#n,e);let t=this.#r.pending;this.#i=De(()=>t(this.#e))}else this.#m(j)}catch(t){this.error(t)}}#m(e){this.is_pending=!1,e.transfer_effects(this.#c,this.#u)}defer_effect(e){Mi(e,this.#c,this.#u)}is_rendered(){return!this.is_pending&&(!this.parent||this.parent.is_rendered())}has_pending_snippet(){return!!this.#r.pending}#g(e){var t=I,r=H,a=xe;et(this.#a),Fe(this.#a),Ut(this.#a.ctx);try{return ot.ensure(),e()}catch(i){return Hi(i),null}finally{et(t),Fe(r),Ut(a)}}#C(e,t){if(!this.has_pending_snippet()){if(this.parent)this.parent.#C(e,t);return}if(this.#v+=e,this.#v===0){if(this.#m(t),this.#i)ar(this.#i,()=>{this.#i=null});if(this.#d)this.#e.before(this.#d),this.#d=null}}update_pending_count(e,t){if(this.#C(e,t),this.#l+=e,!this.#f||this.#h)return;this.#h=!0,it(()=>{if(this.#h=!1,this.#f)$r(this.#f,this.#l)})}get_effect_pending(){return this.#b(),n(this.#f)}error(e){if(!this.#r.onerror&&!this.#r.failed)throw e;if(j?.is_fork){if(this.#n)j.skip_effect(this.#n);if(this.#i)j.skip_effect(this.#i);if(this.#o)j.skip_effect(this.#o);j.on_fork_commit(()=>{this.#y(e)})}else this.#y(e)}#y(e){if(this.#n)ve(this.#n),this.#n=null;if(this.#i)ve(this.#i),this.#i=null;if(this.#o)ve(this.#o),this.#o=null;if(R)ye(this.#t),Sa(),ye(Ta());var t=this.#r.onerror;let r=this.#r.failed;var a=!1,i=!1;let o=()=>{if(a){ol();return}if(a=!0,i)Jo();if(this.#o!==null)ar(this.#o,()=>{this.#o=null});this.#g(()=>{this.#_()})},s=(l)=>{try{i=!0,t?.(l,o),i=!1}catch(f){dt(f,this.#a&&this.#a.parent)}if(r)this.#o=this.#g(()=>{try{return De(()=>{var f=I;f.b=this,f.f|=sa,r(this.#e,()=>l,()=>o)})}catch(f){return dt(f,this.#a.parent),null}})};it(()=>{var l;try{l=this.transform_error(e)}catch(f){dt(f,this.#a&&this.#a.parent);return}if(l!==null&&typeof l==="object"&&typeof l.then==="function")l.then(s,(f)=>dt(f,this.#a&&this.#a.parent));else s(l)})}}function Gi(e,t,r,a){let i=Ra;var o=e.filter((h)=>!h.settled);if(r.length===0&&o.length===0){a(t.map(i));return}var s=I,l=ml(),f=o.length===1?o[0].promise:o.length>1?Promise.all(o.map((h)=>h.promise)):null;function c(h){if((s.f&qe)!==0)return;l();try{a(h)}catch(m){dt(m,s)}Er()}var d=Wi();if(r.length===0){f.then(()=>c(t.map(i))).finally(d);return}function g(){Promise.all(r.map((h)=>yl(h))).then((h)=>c([...t.map(i),...h])).catch((h)=>dt(h,s)).finally(d)}if(f)f.then(()=>{l(),g(),Er()});else g()}function ml(){var e=I,t=H,r=xe,a=j;return function(o=!0){if(et(e),Fe(t),Ut(r),o&&(e.f&qe)===0)a?.activate(),a?.apply()}}function Er(e=!0){if(et(null),Fe(null),Ut(null),e)j?.deactivate()}function Wi(){var e=I,t=e.b,r=j,a=t.is_rendered();return t.update_pending_count(1,r),r.increment(a,e),()=>{t.update_pending_count(-1,r),r.decrement(a,e)}}function Ra(e){var t=ge|he;if(I!==null)I.f|=It;return{ctx:xe,deps:null,effects:null,equals:Ei,f:t,fn:e,reactions:null,rv:0,v:se,wv:0,parent:I,ac:null}}var yr=Symbol("obsolete");function yl(e,t,r){let a=I;if(a===null)No();var i=void 0,o=ur(se),s=!H,l=new Set;return Il(()=>{var f=I,c=Si();i=c.promise;try{Promise.resolve(e()).then(c.resolve,(m)=>{if(m!==Rr)c.reject(m)}).finally(Er)}catch(m){c.reject(m),Er()}var d=j;if(s){if((f.f&bt)!==0)var g=Wi();if(a.b.is_rendered())d.async_deriveds.get(f)?.reject(yr);else for(let m of l.values())m.reject(yr);l.add(c),d.async_deriveds.set(f,c)}let h=(m,p=void 0)=>{if(g?.(),l.delete(c),p===yr)return;if(d.activate(),p)o.f|=vt,$r(o,p);else{if((o.f&vt)!==0)o.f^=vt;$r(o,m)}d.deactivate()};c.promise.then(h,(m)=>h(null,m||"unknown"))}),Vr(()=>{for(let f of l)f.reject(yr)}),new Promise((f)=>{function c(d){function g(){if(d===i)f(o);else c(i)}d.then(g,g)}c(i)})}function me(e){let t=Ra(e);return tn(t),t}function kl(e){var t=e.effects;if(t!==null){e.effects=null;for(var r=0;r<t.length;r+=1)ve(t[r])}}function ja(e){var t,r=I,a=e.parent;if(!lt&&a!==null&&e.v!==se&&(a.f&(qe|ze))!==0)return il(),e.v;et(a);try{e.f&=~Et,kl(e),t=on(e)}finally{et(r)}return t}function Yi(e){var t=ja(e);if(!e.equals(t)){if(e.wv=an(),!j?.is_fork||e.deps===null){if(j!==null)j.capture(e,t,!0),pa?.capture(e,t,!0);else e.v=t;if(e.deps===null){oe(e,fe);return}}}if(lt)return;if(Ne!==null){if(Pa()||j?.is_fork)Ne.set(e,t)}else La(e)}function wl(e){if(e.effects===null)return;for(let t of e.effects)if(t.teardown||t.ac){if(t.teardown?.(),t.ac?.abort(Rr),t.fn!==null)t.teardown=ht;t.ac=null,nr(t,0),za(t)}}function Zi(e){if(e.effects===null)return;for(let t of e.effects)if(t.teardown&&t.fn!==null)qt(t)}var Lr=new Set,St=new Map,Ji=!1;function ur(e,t){var r={f:0,v:e,reactions:null,equals:Ei,rv:0,wv:0};return r}function P(e,t){let r=ur(e);return tn(r),r}function Xi(e,t=!1,r=!0){let a=ur(e);if(!t)a.equals=Do;return a}function A(e,t,r=!1){if(H!==null&&(!Ue||(H.f&Sr)!==0)&&ji()&&(H.f&(ge|Me|Ht|Sr))!==0&&(Oe===null||!Mt.call(Oe,e)))Zo();let a=r?at(t):t;return $r(e,a,Ar)}function $r(e,t,r=null){if(!e.equals(t)){St.set(e,lt?t:e.v);var a=ot.ensure();if(a.capture(e,t),(e.f&ge)!==0){let i=e;if((e.f&he)!==0)ja(i);if(Ne===null)La(i)}if(e.wv=an(),Qi(e,he,r),I!==null&&(I.f&fe)!==0&&(I.f&(Xe|nt))===0)if(Pe===null)xl([e]);else Pe.push(e);if(!a.is_fork&&Lr.size>0&&!Ji)Al()}return t}function Al(){Ji=!1;for(let e of Lr){if((e.f&fe)!==0)oe(e,Qe);let t;try{t=fr(e)}catch{t=!0}if(t)qt(e)}Lr.clear()}function rr(e){A(e,e.v+1)}function Qi(e,t,r){var a=e.reactions;if(a===null)return;var i=a.length;for(var o=0;o<i;o++){var s=a[o],l=s.f,f=(l&he)===0;if(f)oe(s,t);if((l&Sr)!==0)Lr.add(s);else if((l&ge)!==0){var c=s;if(Ne?.delete(c),(l&Et)===0){if(l&Ve&&(I===null||(I.f&Tr)===0))s.f|=Et;Qi(c,Qe,r)}}else if(f){var d=s;if((l&Me)!==0&&rt!==null)rt.add(d);if(r!==null)r.push(d);else Ia(d)}}}function _l(e,t){if(t){let r=document.body;e.autofocus=!0,it(()=>{if(document.activeElement===r)e.focus()})}}var di=!1;function en(){if(!di)di=!0,document.addEventListener("reset",(e)=>{Promise.resolve().then(()=>{if(!e.defaultPrevented)for(let t of e.target.elements)t[er]?.()})},{capture:!0})}function Pr(e){var t=H,r=I;Fe(null),et(null);try{return e()}finally{Fe(t),et(r)}}function Cl(e,t,r,a=r){e.addEventListener(t,()=>Pr(r));let i=e[er];if(i)e[er]=()=>{i(),a(!0)};else e[er]=()=>a(!0);en()}var _r=!1,lt=!1;function hi(e){lt=e}var H=null,Ue=!1;function Fe(e){H=e}var I=null;function et(e){I=e}var Oe=null;function tn(e){if(H!==null)if(Oe===null)Oe=[e];else Oe.push(e)}var Ce=null,Ee=0,Pe=null;function xl(e){Pe=e}var rn=1,_t=0,Tt=_t;function vi(e){Tt=e}function an(){return++rn}function fr(e){var t=e.f;if((t&he)!==0)return!0;if(t&ge)e.f&=~Et;if((t&Qe)!==0){var r=e.deps,a=r.length;for(var i=0;i<a;i++){var o=r[i];if(fr(o))Yi(o);if(o.wv>e.wv)return!0}if((t&Ve)!==0&&Ne===null)oe(e,fe)}return!1}function nn(e,t,r=!0){var a=e.reactions;if(a===null)return;if(Oe!==null&&Mt.call(Oe,e))return;for(var i=0;i<a.length;i++){var o=a[i];if((o.f&ge)!==0)nn(o,t,!1);else if(t===o){if(r)oe(o,he);else if((o.f&fe)!==0)oe(o,Qe);Ia(o)}}}function on(e){var t=Ce,r=Ee,a=Pe,i=H,o=Oe,s=xe,l=Ue,f=Tt,c=e.f;if(Ce=null,Ee=0,Pe=null,H=(c&(Xe|nt))===0?e:null,Oe=null,Ut(e.ctx),Ue=!1,Tt=++_t,e.ac!==null)Pr(()=>{e.ac.abort(Rr)}),e.ac=null;try{e.f|=Tr;var d=e.fn,g=d();e.f|=bt;var h=e.deps,m=j?.is_fork;if(Ce!==null){var p;if(!m)nr(e,Ee);if(h!==null&&Ee>0){h.length=Ee+Ce.length;for(p=0;p<Ce.length;p++)h[Ee+p]=Ce[p]}else e.deps=h=Ce;if(Pa()&&(e.f&Ve)!==0)for(p=Ee;p<h.length;p++)(h[p].reactions??=[]).push(e)}else if(!m&&h!==null&&Ee<h.length)nr(e,Ee),h.length=Ee;if(ji()&&Pe!==null&&!Ue&&h!==null&&(e.f&(ge|Qe|he))===0)for(p=0;p<Pe.length;p++)nn(Pe[p],e);if(i!==null&&i!==e){if(_t++,i.deps!==null)for(let y=0;y<r;y+=1)i.deps[y].rv=_t;if(t!==null)for(let y of t)y.rv=_t;if(Pe!==null)if(a===null)a=Pe;else a.push(...Pe)}if((e.f&vt)!==0)e.f^=vt;return g}catch(y){return Hi(y)}finally{e.f^=Tr,Ce=t,Ee=r,Pe=a,H=i,Oe=o,Ut(s),Ue=l,Tt=f}}function Sl(e,t){let r=t.reactions;if(r!==null){var a=$o.call(r,e);if(a!==-1){var i=r.length-1;if(i===0)r=t.reactions=null;else r[a]=r[i],r.pop()}}if(r===null&&(t.f&ge)!==0&&(Ce===null||!Mt.call(Ce,t))){var o=t;if((o.f&Ve)!==0)o.f^=Ve,o.f&=~Et;if(o.v!==se)La(o);wl(o),nr(o,0)}}function nr(e,t){var r=e.deps;if(r===null)return;for(var a=t;a<r.length;a++)Sl(e,r[a])}function qt(e){var t=e.f;if((t&qe)!==0)return;oe(e,fe);var r=I,a=_r;I=e,_r=!0;try{if((t&(Me|Ca))!==0)Rl(e);else za(e);fn(e);var i=on(e);e.teardown=typeof i==="function"?i:null,e.wv=rn;var o}finally{_r=a,I=r}}async function Ct(){await Promise.resolve(),G()}function n(e){var t=e.f,r=(t&ge)!==0;if(H!==null&&!Ue){var a=I!==null&&(I.f&qe)!==0;if(!a&&(Oe===null||!Mt.call(Oe,e))){var i=H.deps;if((H.f&Tr)!==0){if(e.rv<_t)if(e.rv=_t,Ce===null&&i!==null&&i[Ee]===e)Ee++;else if(Ce===null)Ce=[e];else Ce.push(e)}else{(H.deps??=[]).push(e);var o=e.reactions;if(o===null)e.reactions=[H];else if(!Mt.call(o,H))o.push(H)}}}if(lt&&St.has(e))return St.get(e);if(r){var s=e;if(lt){var l=s.v;if((s.f&fe)===0&&s.reactions!==null||sn(s))l=ja(s);return St.set(s,l),l}var f=(s.f&Ve)===0&&!Ue&&H!==null&&(_r||(H.f&Ve)!==0),c=(s.f&bt)===0;if(fr(s)){if(f)s.f|=Ve;Yi(s)}if(f&&!c)Zi(s),ln(s)}if(Ne?.has(e))return Ne.get(e);if((e.f&vt)!==0)throw e.v;return e.v}function ln(e){if(e.f|=Ve,e.deps===null)return;for(let t of e.deps)if((t.reactions??=[]).push(e),(t.f&ge)!==0&&(t.f&Ve)===0)Zi(t),ln(t)}function sn(e){if(e.v===se)return!0;if(e.deps===null)return!1;for(let t of e.deps){if(St.has(t))return!0;if((t.f&ge)!==0&&sn(t))return!0}return!1}function dr(e){var t=Ue;try{return Ue=!0,e()}finally{Ue=t}}function Tl(e){if(I===null){if(H===null)Ko();qo()}if(lt)Uo()}function El(e,t){var r=t.last;if(r===null)t.last=t.first=e;else r.next=e,e.prev=r,t.last=e}function Be(e,t){var r=I;if(r!==null&&(r.f&ze)!==0)e|=ze;var a={ctx:xe,deps:null,nodes:null,f:e|he|Ve,first:null,fn:t,last:null,next:null,parent:r,b:r&&r.b,prev:null,teardown:null,wv:0,ac:null};j?.register_created_effect(a);var i=a;if((e&Nt)!==0)if(Ot!==null)Ot.push(a);else ot.ensure().schedule(a);else if(t!==null){try{qt(a)}catch(s){throw ve(a),s}if(i.deps===null&&i.teardown===null&&i.nodes===null&&i.first===i.last&&(i.f&It)===0){if(i=i.first,(e&Me)!==0&&(e&gt)!==0&&i!==null)i.f|=gt}}if(i!==null){if(i.parent=r,r!==null)El(i,r);if(H!==null&&(H.f&ge)!==0&&(e&nt)===0){var o=H;(o.effects??=[]).push(i)}}return a}function Pa(){return H!==null&&!Ue}function Vr(e){let t=Be(Ir,null);return oe(t,fe),t.teardown=e,t}function _e(e){Tl();var t=I.f,r=!H&&(t&Xe)!==0&&(t&bt)===0;if(r){var a=xe;(a.e??=[]).push(e)}else return cn(e)}function cn(e){return Be(Nt|Oo,e)}function Ll(e){ot.ensure();let t=Be(nt|It,e);return()=>{ve(t)}}function $l(e){ot.ensure();let t=Be(nt|It,e);return(r={})=>new Promise((a)=>{if(r.outro)ar(t,()=>{ve(t),a(void 0)});else ve(t),a(void 0)})}function Va(e){return Be(Nt,e)}function Il(e){return Be(Ht|It,e)}function zr(e,t=0){return Be(Ir|t,e)}function pe(e,t=[],r=[],a=[]){Gi(a,t,r,(i)=>{Be(Ir,()=>e(...i.map(n)))})}function hr(e,t=0){var r=Be(Me|t,e);return r}function un(e,t=0){var r=Be(Ca|t,e);return r}function De(e){return Be(Xe|It,e)}function fn(e){var t=e.teardown;if(t!==null){let r=lt,a=H;hi(!0),Fe(null);try{t.call(null)}finally{hi(r),Fe(a)}}}function za(e,t=!1){var r=e.first;e.first=e.last=null;while(r!==null){let i=r.ac;if(i!==null)Pr(()=>{i.abort(Rr)});var a=r.next;if((r.f&nt)!==0)r.parent=null;else ve(r,t);r=a}}function Rl(e){var t=e.first;while(t!==null){var r=t.next;if((t.f&Xe)===0)ve(t);t=r}}function ve(e,t=!0){var r=!1;if((t||(e.f&zo)!==0)&&e.nodes!==null&&e.nodes.end!==null)dn(e.nodes.start,e.nodes.end),r=!0;oe(e,ca),za(e,t&&!r),nr(e,0);var a=e.nodes&&e.nodes.t;if(a!==null)for(let o of a)o.stop();fn(e),e.f^=ca,e.f|=qe;var i=e.parent;if(i!==null&&i.first!==null)hn(e);e.next=e.prev=e.teardown=e.ctx=e.deps=e.fn=e.nodes=e.ac=e.b=null}function dn(e,t){while(e!==null){var r=e===t?null:tt(e);e.remove(),e=r}}function hn(e){var{parent:t,prev:r,next:a}=e;if(r!==null)r.next=a;if(a!==null)a.prev=r;if(t!==null){if(t.first===e)t.first=a;if(t.last===e)t.last=r}}function ar(e,t,r=!0){var a=[];vn(e,a,!0);var i=()=>{if(r)ve(e);if(t)t()},o=a.length;if(o>0){var s=()=>--o||i();for(var l of a)l.out(s)}else i()}function vn(e,t,r){if((e.f&ze)!==0)return;e.f^=ze;var a=e.nodes&&e.nodes.t;if(a!==null){for(let l of a)if(l.is_global||r)t.push(l)}var i=e.first;while(i!==null){var o=i.next;if((i.f&nt)===0){var s=(i.f&gt)!==0||(i.f&Xe)!==0&&(e.f&Me)!==0;vn(i,t,s?r:!1)}i=o}}function jl(e){gn(e,!0)}function gn(e,t){if((e.f&ze)===0)return;if(e.f^=ze,(e.f&fe)===0)oe(e,he),ot.ensure().schedule(e);var r=e.first;while(r!==null){var a=r.next,i=(r.f&gt)!==0||(r.f&Xe)!==0;gn(r,i?t:!1),r=a}var o=e.nodes&&e.nodes.t;if(o!==null){for(let s of o)if(s.is_global||t)s.in()}}function pn(e,t){if(!e.nodes)return;var r=e.nodes.start,a=e.nodes.end;while(r!==null){var i=r===a?null:tt(r);t.append(r),r=i}}function gi(e){let t={get:(r)=>Xt(t.store)[r],set:(r,a)=>{if(typeof r==="string")Object.assign(Xt(t.store),{[r]:a});else Object.assign(Xt(t.store),r);t.store.set(Xt(t.store))},store:fl(e)};return t}globalThis.$altcha=globalThis.$altcha||{algorithms:new Map,defaults:gi({}),i18n:gi({}),instances:new Set,plugins:new Set};var Pl={ariaLinkLabel:"Altcha (official website)",cancel:"Cancel",enterCode:"Enter code",enterCodeAria:"Enter code you hear. Press Space to play audio.",enterCodeFromImage:"To proceed, please enter the code from the image below.",error:"Verification failed. Try again later.",expired:"Verification expired. Try again.",footer:'Protected by <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (official website)">ALTCHA</a>',getAudioChallenge:"Get an audio challenge",label:"I'm not a robot",loading:"Loading...",reload:"Reload",verify:"Verify",verificationRequired:"Verification required!",verified:"Verified",verifying:"Verifying...",waitAlert:"Verifying... please wait."};globalThis.$altcha.i18n.set("en",Pl);var Vl="5";if(typeof window<"u")((window.__svelte??={}).v??=new Set).add(Vl);var Qt=Symbol("events"),bn=new Set,ma=new Set;function mn(e,t,r,a={}){function i(o){if(!a.capture)ya.call(t,o);if(!o.cancelBubble)return Pr(()=>r?.call(this,o))}if(e.startsWith("pointer")||e.startsWith("touch")||e==="wheel")it(()=>{t.addEventListener(e,i,a)});else t.addEventListener(e,i,a);return i}function ue(e,t,r,a,i){var o={capture:a,passive:i},s=mn(e,t,r,o);if(t===document.body||t===window||t===document||t instanceof HTMLMediaElement)Vr(()=>{t.removeEventListener(e,s,o)})}function Or(e,t,r){(t[Qt]??={})[e]=r}function Fr(e){for(var t=0;t<e.length;t++)bn.add(e[t]);for(var r of ma)r(e)}var pi=null;function ya(e){var t=this,r=t.ownerDocument,a=e.type,i=e.composedPath?.()||[],o=i[0]||e.target;pi=e;var s=0,l=pi===e&&e[Qt];if(l){var f=i.indexOf(l);if(f!==-1&&(t===document||t===window)){e[Qt]=t;return}var c=i.indexOf(t);if(c===-1)return;if(f<=c)s=f}if(o=i[s]||e.target,o===t)return;ir(e,"currentTarget",{configurable:!0,get(){return o||r}});var d=H,g=I;Fe(null),et(null);try{var h,m=[];while(o!==null){var p=o.assignedSlot||o.parentNode||o.host||null;try{var y=o[Qt]?.[a];if(y!=null&&(!o.disabled||e.target===o))y.call(o,e)}catch(T){if(h)m.push(T);else h=T}if(e.cancelBubble||p===t||p===null)break;o=p}if(h){for(let T of m)queueMicrotask(()=>{throw T});throw h}}finally{e[Qt]=t,delete e.currentTarget,Fe(d),et(g)}}var zl=globalThis?.window?.trustedTypes&&globalThis.window.trustedTypes.createPolicy("svelte-trusted-html",{createHTML:(e)=>e});function Ol(e){return zl?.createHTML(e)??e}function yn(e){var t=Ea("template");return t.innerHTML=Ol(e.replaceAll("<!>","<!---->")),t.content}function $e(e,t){var r=I;if(r.nodes===null)r.nodes={start:e,end:t,a:null,t:null}}function ee(e,t){var r=(t&Xo)!==0,a=(t&Qo)!==0,i,o=!e.startsWith("<!>");return()=>{if(R)return $e(O,null),O;if(i===void 0){if(i=yn(o?e:"<!>"+e),!r)i=Le(i)}var s=a||zi?document.importNode(i,!0):i.cloneNode(!0);if(r){var l=Le(s),f=s.lastChild;$e(l,f)}else $e(s,s);return s}}function Fl(e,t,r="svg"){var a=!e.startsWith("<!>"),i=`<${r}>${a?e:"<!>"+e}</${r}>`,o;return()=>{if(R)return $e(O,null),O;if(!o){var s=yn(i),l=Le(s);o=Le(l)}var f=o.cloneNode(!0);return $e(f,f),f}}function Oa(e,t){return Fl(e,t,"svg")}function kr(e=""){if(!R){var t=Ke(e+"");return $e(t,t),t}var r=O;if(r.nodeType!==lr)r.before(r=Ke()),ye(r);else jr(r);return $e(r,r),r}function bi(){if(R)return $e(O,null),O;var e=document.createDocumentFragment(),t=document.createComment(""),r=Ke();return e.append(t,r),$e(t,r),e}function z(e,t){if(R){var r=I;if((r.f&bt)===0||r.nodes.end===null)r.nodes.end=O;$t();return}if(e===null)return;e.before(t)}function Hl(e){return e.endsWith("capture")&&e!=="gotpointercapture"&&e!=="lostpointercapture"}var Dl=["beforeinput","click","change","dblclick","contextmenu","focusin","focusout","input","keydown","keyup","mousedown","mousemove","mouseout","mouseover","mouseup","pointerdown","pointermove","pointerout","pointerover","pointerup","touchend","touchmove","touchstart"];function Ml(e){return Dl.includes(e)}var Nl={formnovalidate:"formNoValidate",ismap:"isMap",nomodule:"noModule",playsinline:"playsInline",readonly:"readOnly",defaultvalue:"defaultValue",defaultchecked:"defaultChecked",srcobject:"srcObject",novalidate:"noValidate",allowfullscreen:"allowFullscreen",disablepictureinpicture:"disablePictureInPicture",disableremoteplayback:"disableRemotePlayback"};function Ul(e){return e=e.toLowerCase(),Nl[e]??e}var ql=["touchstart","touchmove"];function Kl(e){return ql.includes(e)}function Ze(e,t){var r=t==null?"":typeof t==="object"?`${t}`:t;if(r!==(e[da]??=e.nodeValue))e[da]=r,e.nodeValue=`${r}`}function kn(e,t){return wn(e,t)}function Bl(e,t){va(),t.intro=t.intro??!1;let r=t.target,a=R,i=O;try{var o=Le(r);while(o&&(o.nodeType!==sr||o.data!==xa))o=tt(o);if(!o)throw Lt;Je(!0),ye(o);let s=wn(e,{...t,anchor:o});return Je(!1),s}catch(s){if(s instanceof Error&&s.message.split(`
`).some((l)=>l.startsWith("https://svelte.dev/e/")))throw s;if(s!==Lt)console.warn("Failed to hydrate: ",s);if(t.recover===!1)Go();return va(),sl(r),Je(!1),kn(e,t)}finally{Je(a),ye(i)}}var wr=new Map;function wn(e,{target:t,anchor:r,props:a={},events:i,context:o,intro:s=!0,transformError:l}){va();var f=void 0,c=$l(()=>{var d=r??t.appendChild(Ke());bl(d,{pending:()=>{}},(m)=>{st({});var p=xe;if(o)p.c=o;if(i)a.$$events=i;if(R)$e(m,null);if(f=e(m,a)||{},R){if(I.nodes.end=O,O===null||O.nodeType!==sr||O.data!==Ii)throw cr(),Lt}ct()},l);var g=new Set,h=(m)=>{for(var p=0;p<m.length;p++){var y=m[p];if(g.has(y))continue;g.add(y);var T=Kl(y);for(let W of[t,document]){var L=wr.get(W);if(L===void 0)L=new Map,wr.set(W,L);var J=L.get(y);if(J===void 0)W.addEventListener(y,ya,{passive:T}),L.set(y,1);else L.set(y,J+1)}}};return h(Io(bn)),ma.add(h),()=>{for(var m of g)for(let T of[t,document]){var p=wr.get(T),y=p.get(m);if(--y==0){if(T.removeEventListener(m,ya),p.delete(m),p.size===0)wr.delete(T)}else p.set(m,y)}if(ma.delete(h),d!==r)d.parentNode?.removeChild(d)}});return ka.set(f,c),f}var ka=new WeakMap;function Gl(e,t){let r=ka.get(e);if(r)return ka.delete(e),r(t);return Promise.resolve()}class vr{anchor;#e=new Map;#t=new Map;#r=new Map;#s=new Set;#a=!0;constructor(e,t=!0){this.anchor=e,this.#a=t}#n=(e)=>{if(!this.#e.has(e))return;var t=this.#e.get(e),r=this.#t.get(t);if(r)jl(r),this.#s.delete(t);else{var a=this.#r.get(t);if(a)this.#t.set(t,a.effect),this.#r.delete(t),a.fragment.lastChild.remove(),this.anchor.before(a.fragment),r=a.effect}for(let[i,o]of this.#e){if(this.#e.delete(i),i===e)break;let s=this.#r.get(o);if(s)ve(s.effect),this.#r.delete(o)}for(let[i,o]of this.#t){if(i===t||this.#s.has(i))continue;let s=()=>{if(Array.from(this.#e.values()).includes(i)){var f=document.createDocumentFragment();pn(o,f),f.append(Ke()),this.#r.set(i,{effect:o,fragment:f})}else ve(o);this.#s.delete(i),this.#t.delete(i)};if(this.#a||!r)this.#s.add(i),ar(o,s,!1);else s()}};#i=(e)=>{this.#e.delete(e);let t=Array.from(this.#e.values());for(let[r,a]of this.#r)if(!t.includes(r))ve(a.effect),this.#r.delete(r)};ensure(e,t){var r=j,a=cl();if(t&&!this.#t.has(e)&&!this.#r.has(e))if(a){var i=document.createDocumentFragment(),o=Ke();i.append(o),this.#r.set(e,{effect:De(()=>t(o)),fragment:i})}else this.#t.set(e,De(()=>t(this.anchor)));if(this.#e.set(r,e),a){for(let[s,l]of this.#t)if(s===e)r.unskip_effect(l);else r.skip_effect(l);for(let[s,l]of this.#r)if(s===e)r.unskip_effect(l.effect);else r.skip_effect(l.effect);r.oncommit(this.#n),r.ondiscard(this.#i)}else{if(R)this.anchor=O;this.#n(r)}}}function Wl(e,t,...r){var a=new vr(e);hr(()=>{let i=t()??null;a.ensure(i,i&&((o)=>i(o,...r)))},gt)}function Fa(e){if(xe===null)Mo();_e(()=>{let t=dr(e);if(typeof t==="function")return t})}function ce(e,t,r=!1){var a;if(R)a=O,$t();var i=new vr(e),o=r?gt:0;function s(l,f){if(R){var c=Vi(a);if(l!==parseInt(c.substring(1))){var d=Ta();ye(d),i.anchor=d,Je(!1),i.ensure(l,f),Je(!0);return}}i.ensure(l,f)}hr(()=>{var l=!1;if(t((f,c=0)=>{l=!0,s(c,f)}),!l)s(-1,null)},o)}var Yl=Symbol("NaN");function Zl(e,t,r){if(R)$t();var a=new vr(e);hr(()=>{var i=t();if(i!==i)i=Yl;a.ensure(i,r)})}function An(e,t,r=!1,a=!1,i=!1,o=!1){var s=e,l="";if(r){var f=e;if(R)s=ye(Le(f))}pe(()=>{var c=I;if(l===(l=t()??"")){if(R)$t();return}if(r&&!R){if(c.nodes=null,f.innerHTML=l,l!=="")$e(Le(f),f.lastChild);return}if(c.nodes!==null)dn(c.nodes.start,c.nodes.end),c.nodes=null;if(l==="")return;if(R){O.data;var d=$t(),g=d;while(d!==null&&(d.nodeType!==sr||d.data!==""))g=d,d=tt(d);if(d===null)throw cr(),Lt;$e(O,g),s=ye(d);return}var h=a?el:i?tl:void 0,m=Ea(a?"svg":i?"math":"template",h);m.innerHTML=l;var p=a||i?m:m.content;if($e(Le(p),p.lastChild),a||i)while(Le(p))s.before(Le(p));else s.before(p)})}function Jl(e,t,r){var a;if(R)a=O,$t();var i=new vr(e);hr(()=>{var o=t()??null;if(R){var s=Vi(a),l=s===xa,f=o!==null;if(l!==f){var c=Ta();ye(c),i.anchor=c,Je(!1),i.ensure(o,o&&((d)=>r(d,o))),Je(!0);return}}i.ensure(o,o&&((d)=>r(d,o)))},gt)}function Xl(e,t){var r=void 0,a;un(()=>{if(r!==(r=t())){if(a)ve(a),a=null;if(r)a=De(()=>{Va(()=>r(e))})}})}function _n(e){var t,r,a="";if(typeof e=="string"||typeof e=="number")a+=e;else if(typeof e=="object")if(Array.isArray(e)){var i=e.length;for(t=0;t<i;t++)e[t]&&(r=_n(e[t]))&&(a&&(a+=" "),a+=r)}else for(r in e)e[r]&&(a&&(a+=" "),a+=r);return a}function Ql(){for(var e,t,r=0,a="",i=arguments.length;r<i;r++)(e=arguments[r])&&(t=_n(e))&&(a&&(a+=" "),a+=t);return a}function es(e){if(typeof e==="object")return Ql(e);else return e??""}var mi=[...` 	
\r\f \v\uFEFF`];function ts(e,t,r){var a=e==null?"":""+e;if(r){for(var i of Object.keys(r))if(r[i])a=a?a+" "+i:i;else if(a.length){var o=i.length,s=0;while((s=a.indexOf(i,s))>=0){var l=s+o;if((s===0||mi.includes(a[s-1]))&&(l===a.length||mi.includes(a[l])))a=(s===0?"":a.substring(0,s))+a.substring(l+1);else s=l}}}return a===""?null:a}function yi(e,t=!1){var r=t?" !important;":";",a="";for(var i of Object.keys(e)){var o=e[i];if(o!=null&&o!=="")a+=" "+i+": "+o+r}return a}function aa(e){if(e[0]!=="-"||e[1]!=="-")return e.toLowerCase();return e}function rs(e,t){if(t){var r="",a,i;if(Array.isArray(t))a=t[0],i=t[1];else a=t;if(e){e=String(e).replaceAll(/\s*\/\*.*?\*\/\s*/g,"").trim();var o=!1,s=0,l=!1,f=[];if(a)f.push(...Object.keys(a).map(aa));if(i)f.push(...Object.keys(i).map(aa));var c=0,d=-1;let y=e.length;for(var g=0;g<y;g++){var h=e[g];if(l){if(h==="/"&&e[g-1]==="*")l=!1}else if(o){if(o===h)o=!1}else if(h==="/"&&e[g+1]==="*")l=!0;else if(h==='"'||h==="'")o=h;else if(h==="(")s++;else if(h===")")s--;if(!l&&o===!1&&s===0){if(h===":"&&d===-1)d=g;else if(h===";"||g===y-1){if(d!==-1){var m=aa(e.substring(c,d).trim());if(!f.includes(m)){if(h!==";")g++;var p=e.substring(c,g).trim();r+=" "+p+";"}}c=g+1,d=-1}}}}if(a)r+=yi(a);if(i)r+=yi(i,!0);return r=r.trim(),r===""?null:r}return e==null?null:String(e)}function as(e,t,r,a,i,o){var s=e[ua];if(R||s!==r||s===void 0){var l=ts(r,a,o);if(!R||l!==e.getAttribute("class"))if(l==null)e.removeAttribute("class");else if(t)e.className=l;else e.setAttribute("class",l);e[ua]=r}else if(o&&i!==o)for(var f in o){var c=!!o[f];if(i==null||c!==!!i[f])e.classList.toggle(f,c)}return o}function ia(e,t={},r,a){for(var i in r){var o=r[i];if(t[i]!==o)if(r[i]==null)e.style.removeProperty(i);else e.style.setProperty(i,o,a)}}function is(e,t,r,a){var i=e[fa];if(R||i!==t){var o=rs(t,a);if(!R||o!==e.getAttribute("style"))if(o==null)e.removeAttribute("style");else e.style.cssText=o;e[fa]=t}else if(a)if(Array.isArray(a))ia(e,r?.[0],a[0]),ia(e,r?.[1],a[1],"important");else ia(e,r,a);return a}function wa(e,t,r=!1){if(e.multiple){if(t==null)return;if(!Ci(t))return nl();for(var a of e.options)a.selected=t.includes(ki(a));return}for(a of e.options){var i=ki(a);if(ll(i,t)){a.selected=!0;return}}if(!r||t!==void 0)e.selectedIndex=-1}function ns(e){var t=new MutationObserver(()=>{wa(e,e.__value)});t.observe(e,{childList:!0,subtree:!0,attributes:!0,attributeFilter:["value"]}),Vr(()=>{t.disconnect()})}function ki(e){if("__value"in e)return e.__value;else return e.value}var Zt=Symbol("class"),Jt=Symbol("style"),Cn=Symbol("is custom element"),xn=Symbol("is html"),os=or?"link":"LINK",ls=or?"input":"INPUT",ss=or?"option":"OPTION",cs=or?"select":"SELECT",us=or?"progress":"PROGRESS";function Ha(e){if(!R)return;var t=!1,r=()=>{if(t)return;if(t=!0,e.hasAttribute("value")){var a=e.value;q(e,"value",null),e.value=a}if(e.hasAttribute("checked")){var i=e.checked;q(e,"checked",null),e.checked=i}};e[er]=r,it(r),en()}function fs(e,t){var r=Da(e);if(r.value===(r.value=t??void 0)||e.value===t&&(t!==0||e.nodeName!==us))return;e.value=t??""}function ds(e,t){if(t){if(!e.hasAttribute("selected"))e.setAttribute("selected","")}else e.removeAttribute("selected")}function q(e,t,r,a){var i=Da(e);if(R){if(i[t]=e.getAttribute(t),t==="src"||t==="srcset"||t==="href"&&e.nodeName===os)return}if(i[t]===(i[t]=r))return;if(t==="loading")e[Ho]=r;if(r==null)e.removeAttribute(t);else if(typeof r!=="string"&&Sn(e).includes(t))e[t]=r;else e.setAttribute(t,r)}function hs(e,t,r,a,i=!1,o=!1){if(R&&i&&e.nodeName===ls){var s=e,l=s.type==="checkbox"?"defaultChecked":"defaultValue";if(!(l in r))Ha(s)}var f=Da(e),c=f[Cn],d=!f[xn];let g=R&&c;if(g)Je(!1);var h=t||{},m=e.nodeName===ss;for(var p in t)if(!(p in r))r[p]=null;if(r.class)r.class=es(r.class);else if(r[Zt])r.class=null;if(r[Jt])r.style??=null;var y=Sn(e);for(let C in r){let V=r[C];if(m&&C==="value"&&V==null){e.value=e.__value="",h[C]=V;continue}if(C==="class"){var T=e.namespaceURI==="http://www.w3.org/1999/xhtml";as(e,T,V,a,t?.[Zt],r[Zt]),h[C]=V,h[Zt]=r[Zt];continue}if(C==="style"){is(e,V,t?.[Jt],r[Jt]),h[C]=V,h[Jt]=r[Jt];continue}var L=h[C];if(V===L&&!(V===void 0&&e.hasAttribute(C)))continue;h[C]=V;var J=C[0]+C[1];if(J==="$$")continue;if(J==="on"){let ie={},M="$$"+C,F=C.slice(2);var W=Ml(F);if(Hl(F))F=F.slice(0,-7),ie.capture=!0;if(!W&&L){if(V!=null)continue;e.removeEventListener(F,h[M],ie),h[M]=null}if(W)Or(F,e,V),Fr([F]);else if(V!=null){let He=function(be){h[C].call(this,be)};var ae=He;h[M]=mn(F,e,He,ie)}}else if(C==="style")q(e,C,V);else if(C==="autofocus")_l(e,Boolean(V));else if(!c&&(C==="__value"||C==="value"&&V!=null))e.value=e.__value=V;else if(C==="selected"&&m)ds(e,V);else{var D=C;if(!d)D=Ul(D);var ke=D==="defaultValue"||D==="defaultChecked";if(V==null&&!c&&!ke)if(f[C]=null,D==="value"||D==="checked"){let ie=e,M=t===void 0;if(D==="value"){let F=ie.defaultValue;ie.removeAttribute(D),ie.defaultValue=F,ie.value=ie.__value=M?F:null}else{let F=ie.defaultChecked;ie.removeAttribute(D),ie.defaultChecked=F,ie.checked=M?F:!1}}else e.removeAttribute(C);else if(ke||y.includes(D)&&(c||typeof V!=="string")){if(e[D]=V,D in f)f[D]=se}else if(typeof V!=="function")q(e,D,V)}}if(g)Je(!0);return h}function Hr(e,t,r=[],a=[],i=[],o,s=!1,l=!1){Gi(i,r,a,(f)=>{var c=void 0,d={},g=e.nodeName===cs,h=!1;if(un(()=>{var p=t(...f.map(n)),y=hs(e,c,p,o,s,l);if(h&&g&&"value"in p)wa(e,p.value);for(let L of Object.getOwnPropertySymbols(d))if(!p[L])ve(d[L]);for(let L of Object.getOwnPropertySymbols(p)){var T=p[L];if(L.description===rl&&(!c||T!==c[L])){if(d[L])ve(d[L]);d[L]=De(()=>Xl(e,()=>T))}y[L]=T}c=y}),g){var m=e;Va(()=>{wa(m,c.value,!0),ns(m)})}h=!0})}function Da(e){return e[Ti]??={[Cn]:e.nodeName.includes("-"),[xn]:e.namespaceURI===Ri}}var wi=new Map;function Sn(e){var t=e.getAttribute("is")||e.nodeName,r=wi.get(t);if(r)return r;wi.set(t,r=[]);var a,i=e,o=Element.prototype;while(o!==i){a=Ro(i);for(var s in a)if(a[s].set&&s!=="innerHTML"&&s!=="textContent"&&s!=="innerText")r.push(s);i=xi(i)}return r}function vs(e,t,r=t){var a=new WeakSet;if(Cl(e,"input",async(i)=>{var o=i?e.defaultValue:e.value;if(o=na(e)?oa(o):o,r(o),j!==null)a.add(j);if(await Ct(),o!==(o=t())){var{selectionStart:s,selectionEnd:l}=e,f=e.value.length;if(e.value=o??"",l!==null){var c=e.value.length;if(s===l&&l===f&&c>f)e.selectionStart=c,e.selectionEnd=c;else e.selectionStart=s,e.selectionEnd=Math.min(l,c)}}}),R&&e.defaultValue!==e.value||dr(t)==null&&e.value){if(r(na(e)?oa(e.value):e.value),j!==null)a.add(j)}zr(()=>{var i=t();if(e===document.activeElement){var o=j;if(a.has(o))return}if(na(e)&&i===oa(e.value))return;if(e.type==="date"&&!i&&!e.value)return;if(i!==e.value)e.value=i??""})}function na(e){var t=e.type;return t==="number"||t==="range"}function oa(e){return e===""?null:+e}function la(e,t){return e===t||e?.[Dt]===t}function pt(e={},t,r,a){var i=xe.r,o=I;return Va(()=>{var s,l;return zr(()=>{s=l,l=[],dr(()=>{if(!la(r(...l),e)){if(t(e,...l),s&&la(r(...s),e))t(null,...s)}})}),()=>{let f=o;while(f!==i&&f.parent!==null&&f.parent.f&ca)f=f.parent;let c=()=>{if(l&&la(r(...l),e))t(null,...l)},d=f.teardown;f.teardown=()=>{c(),d?.()}}}),e}var gs={get(e,t){if(e.exclude.includes(t))return;return e.props[t]},set(e,t){return!1},getOwnPropertyDescriptor(e,t){if(e.exclude.includes(t))return;if(t in e.props)return{enumerable:!0,configurable:!0,value:e.props[t]}},has(e,t){if(e.exclude.includes(t))return!1;return t in e.props},ownKeys(e){return Reflect.ownKeys(e.props).filter((t)=>!e.exclude.includes(t))}};function Dr(e,t,r){return new Proxy({props:e,exclude:t},gs)}function Q(e,t,r,a){var i=a,o=!0,s=()=>{if(o)o=!1,i=a;return i},l;if(l=e[t],l===void 0&&a!==void 0)l=s();var f=()=>{var h=e[t];if(h===void 0)return s();return o=!0,h},c=!1,d=Ra(()=>(c=!1,f())),g=I;return function(h,m){if(arguments.length>0){let p=m?n(d):h;if(A(d,p),c=!0,i!==void 0)i=p;return h}if(lt&&c||(g.f&qe)!==0)return d.v;return n(d)}}function ps(e){return new Tn(e)}class Tn{#e;#t;constructor(e){var t=new Map,r=(i,o)=>{var s=Xi(o,!1,!1);return t.set(i,s),s};let a=new Proxy({...e.props||{},$$events:{}},{get(i,o){return n(t.get(o)??r(o,Reflect.get(i,o)))},has(i,o){if(o===Fo)return!0;return n(t.get(o)??r(o,Reflect.get(i,o))),Reflect.has(i,o)},set(i,o,s){return A(t.get(o)??r(o,s),s),Reflect.set(i,o,s)}});if(this.#t=(e.hydrate?Bl:kn)(e.component,{target:e.target,anchor:e.anchor,props:a,context:e.context,intro:e.intro??!1,recover:e.recover,transformError:e.transformError}),!e?.props?.$$host||e.sync===!1)G();this.#e=a.$$events;for(let i of Object.keys(this.#t)){if(i==="$set"||i==="$destroy"||i==="$on")continue;ir(this,i,{get(){return this.#t[i]},set(o){this.#t[i]=o},enumerable:!0})}this.#t.$set=(i)=>{Object.assign(a,i)},this.#t.$destroy=()=>{Gl(this.#t)}}$set(e){this.#t.$set(e)}$on(e,t){this.#e[e]=this.#e[e]||[];let r=(...a)=>t.call(this,...a);return this.#e[e].push(r),()=>{this.#e[e]=this.#e[e].filter((a)=>a!==r)}}$destroy(){this.#t.$destroy()}}var En=class{};if(typeof HTMLElement==="function")En=class extends HTMLElement{$$ctor;$$s;$$c;$$cn=!1;$$d={};$$r=!1;$$p_d={};$$l={};$$l_u=new Map;$$me;$$shadowRoot=null;constructor(e,t,r){super();if(this.$$ctor=e,this.$$s=t,r)this.$$shadowRoot=this.attachShadow(r)}addEventListener(e,t,r){if(this.$$l[e]=this.$$l[e]||[],this.$$l[e].push(t),this.$$c){let a=this.$$c.$on(e,t);this.$$l_u.set(t,a)}super.addEventListener(e,t,r)}removeEventListener(e,t,r){if(super.removeEventListener(e,t,r),this.$$c){let a=this.$$l_u.get(t);if(a)a(),this.$$l_u.delete(t)}}async connectedCallback(){if(this.$$cn=!0,!this.$$c){let t=function(i){return(o)=>{let s=Ea("slot");if(i!=="default")s.name=i;z(o,s)}};var e=t;if(await Promise.resolve(),!this.$$cn||this.$$c)return;let r={},a=bs(this);for(let i of this.$$s)if(i in a)if(i==="default"&&!this.$$d.children)this.$$d.children=t(i),r.default=!0;else r[i]=t(i);for(let i of this.attributes){let o=this.$$g_p(i.name);if(!(o in this.$$d))this.$$d[o]=Cr(o,i.value,this.$$p_d,"toProp")}for(let i in this.$$p_d)if(!(i in this.$$d)&&this[i]!==void 0)this.$$d[i]=this[i],delete this[i];this.$$c=ps({component:this.$$ctor,target:this.$$shadowRoot||this,props:{...this.$$d,$$slots:r,$$host:this}}),this.$$me=Ll(()=>{zr(()=>{this.$$r=!0;for(let i of xr(this.$$c)){if(!this.$$p_d[i]?.reflect)continue;this.$$d[i]=this.$$c[i];let o=Cr(i,this.$$d[i],this.$$p_d,"toAttribute");if(o==null)this.removeAttribute(this.$$p_d[i].attribute||i);else this.setAttribute(this.$$p_d[i].attribute||i,o)}this.$$r=!1})});for(let i in this.$$l)for(let o of this.$$l[i]){let s=this.$$c.$on(i,o);this.$$l_u.set(o,s)}this.$$l={}}}attributeChangedCallback(e,t,r){if(this.$$r)return;e=this.$$g_p(e),this.$$d[e]=Cr(e,r,this.$$p_d,"toProp"),this.$$c?.$set({[e]:this.$$d[e]})}disconnectedCallback(){this.$$cn=!1,Promise.resolve().then(()=>{if(!this.$$cn&&this.$$c)this.$$c.$destroy(),this.$$me(),this.$$c=void 0})}$$g_p(e){return xr(this.$$p_d).find((t)=>this.$$p_d[t].attribute===e||!this.$$p_d[t].attribute&&t.toLowerCase()===e)||e}};function Cr(e,t,r,a){let i=r[e]?.type;if(t=i==="Boolean"&&typeof t!=="boolean"?t!=null:t,!a||!r[e])return t;else if(a==="toAttribute")switch(i){case"Object":case"Array":return t==null?null:JSON.stringify(t);case"Boolean":return t?"":null;case"Number":return t==null?null:t;default:return t}else switch(i){case"Object":case"Array":return t&&JSON.parse(t);case"Boolean":return t;case"Number":return t!=null?+t:t;default:return t}}function bs(e){let t={};return e.childNodes.forEach((r)=>{t[r.slot||"default"]=!0}),t}function mt(e,t,r,a,i,o){let s=class extends En{constructor(){super(e,r,i);this.$$p_d=t}static get observedAttributes(){return xr(t).map((l)=>(t[l].attribute||l).toLowerCase())}};return xr(t).forEach((l)=>{ir(s.prototype,l,{get(){return this.$$c&&l in this.$$c?this.$$c[l]:this.$$d[l]},set(f){f=Cr(l,f,t),this.$$d[l]=f;var c=this.$$c;if(c){var d=Ft(c,l)?.get;if(d)c[l]=f;else c.$set({[l]:f})}}})}),a.forEach((l)=>{ir(s.prototype,l,{get(){return this.$$c?.[l]}})}),e.element=s,s}var ms=ee('<div class="altcha-checkbox"><input/> <svg aria-hidden="true" width="12" height="9" viewBox="0 0 12 9"><polyline points="1 5 4 8 11 1"></polyline></svg> <div class="altcha-spinner altcha-checkbox-spinner" aria-hidden="true"></div></div>');function Ln(e,t){st(t,!0);let r=Q(t,"loading"),a=Dr(t,["$$slots","$$events","$$legacy","$$host","loading"]),i;function o(){i?.click()}var s={get loading(){return r()},set loading(d){r(d),G()}},l=ms(),f=re(l);Hr(f,()=>({type:"checkbox",...a}),void 0,void 0,void 0,void 0,!0),pt(f,(d)=>i=d,()=>i);var c=X(f,2);return Sa(2),Z(l),pe(()=>q(l,"data-loading",r())),Or("click",c,o),z(e,l),ct(s)}Fr(["click"]);mt(Ln,{loading:{}},[],[],{mode:"open"});var ys=ee('<div class="altcha-checkbox-native"><input/> <div class="altcha-spinner altcha-checkbox-native-spinner"></div></div>');function $n(e,t){st(t,!0);let r=Q(t,"loading"),a=Dr(t,["$$slots","$$events","$$legacy","$$host","loading"]);var i={get loading(){return r()},set loading(l){r(l),G()}},o=ys(),s=re(o);return Hr(s,()=>({type:"checkbox",...a}),void 0,void 0,void 0,void 0,!0),Sa(2),Z(o),pe(()=>q(o,"data-loading",r())),z(e,o),ct(i)}mt($n,{loading:{}},[],[],{mode:"open"});var ks=ee('<div><a target="_blank" class="altcha-logo" aria-hidden="true" tabindex="-1"><svg width="22" height="22" viewBox="0 0 20 20" fill="none" xmlns="http://www.w3.org/2000/svg"><path d="M2.33955 16.4279C5.88954 20.6586 12.1971 21.2105 16.4279 17.6604C18.4699 15.947 19.6548 13.5911 19.9352 11.1365L17.9886 10.4279C17.8738 12.5624 16.909 14.6459 15.1423 16.1284C11.7577 18.9684 6.71167 18.5269 3.87164 15.1423C1.03163 11.7577 1.4731 6.71166 4.8577 3.87164C8.24231 1.03162 13.2883 1.4731 16.1284 4.8577C16.9767 5.86872 17.5322 7.02798 17.804 8.2324L19.9522 9.01429C19.7622 7.07737 19.0059 5.17558 17.6604 3.57212C14.1104 -0.658624 7.80283 -1.21043 3.57212 2.33956C-0.658625 5.88958 -1.21046 12.1971 2.33955 16.4279Z" fill="currentColor"></path><path d="M3.57212 2.33956C1.65755 3.94607 0.496389 6.11731 0.12782 8.40523L2.04639 9.13961C2.26047 7.15832 3.21057 5.25375 4.8577 3.87164C8.24231 1.03162 13.2883 1.4731 16.1284 4.8577L13.8302 6.78606L19.9633 9.13364C19.7929 7.15555 19.0335 5.20847 17.6604 3.57212C14.1104 -0.658624 7.80283 -1.21043 3.57212 2.33956Z" fill="currentColor"></path><path d="M7 10H5C5 12.7614 7.23858 15 10 15C12.7614 15 15 12.7614 15 10H13C13 11.6569 11.6569 13 10 13C8.3431 13 7 11.6569 7 10Z" fill="currentColor"></path></svg></a></div>');function Ma(e,t){st(t,!0);let r=Q(t,"strings"),a="https://altcha.org";var i={get strings(){return r()},set strings(l){r(l),G()}},o=ks(),s=re(o);return q(s,"href",a),Z(o),pe(()=>q(s,"aria-label",r().ariaLinkLabel)),z(e,o),ct(i)}mt(Ma,{strings:{}},[],[],{mode:"open"});var ws=ee('<div class="altcha-footer"><p></p> <!></div>');function Aa(e,t){st(t,!0);let r=Q(t,"logo"),a=Q(t,"strings");var i={get logo(){return r()},set logo(c){r(c),G()},get strings(){return a()},set strings(c){a(c),G()}},o=ws(),s=re(o);An(s,()=>a().footer,!0),Z(s);var l=X(s,2);{var f=(c)=>{Ma(c,{get strings(){return a()}})};ce(l,(c)=>{if(r())c(f)})}return Z(o),z(e,o),ct(i)}mt(Aa,{logo:{},strings:{}},[],[],{mode:"open"});var As=ee('<div class="altcha-switch"><input/>  <div class="altcha-switch-toggle"><div class="altcha-spinner altcha-switch-spinner"></div></div></div>');function In(e,t){st(t,!0);let r=Q(t,"loading"),a=Dr(t,["$$slots","$$events","$$legacy","$$host","loading"]),i;function o(){i?.click()}var s={get loading(){return r()},set loading(d){r(d),G()}},l=As(),f=re(l);Hr(f,()=>({type:"checkbox",...a}),void 0,void 0,void 0,void 0,!0),pt(f,(d)=>i=d,()=>i);var c=X(f,2);return Z(l),pe(()=>q(l,"data-loading",r())),Or("click",c,o),z(e,l),ct(s)}Fr(["click"]);mt(In,{loading:{}},[],[],{mode:"open"});var de=((e)=>(e.ERROR="error",e.LOADING="loading",e.PLAYING="playing",e.PAUSED="paused",e.READY="ready",e))(de||{}),N=((e)=>(e.CODE="code",e.ERROR="error",e.VERIFIED="verified",e.VERIFYING="verifying",e.UNVERIFIED="unverified",e.EXPIRED="expired",e))(N||{}),_s=ee('<div class="altcha-code-challenge-title"> </div>'),Cs=ee('<div class="altcha-spinner"></div>'),xs=Oa('<svg aria-hidden="true" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="currentColor"><path d="M12.8659 3.00017L22.3922 19.5002C22.6684 19.9785 22.5045 20.5901 22.0262 20.8662C21.8742 20.954 21.7017 21.0002 21.5262 21.0002H2.47363C1.92135 21.0002 1.47363 20.5525 1.47363 20.0002C1.47363 19.8246 1.51984 19.6522 1.60761 19.5002L11.1339 3.00017C11.41 2.52187 12.0216 2.358 12.4999 2.63414C12.6519 2.72191 12.7782 2.84815 12.8659 3.00017ZM10.9999 16.0002V18.0002H12.9999V16.0002H10.9999ZM10.9999 9.00017V14.0002H12.9999V9.00017H10.9999Z"></path></svg>'),Ss=Oa('<svg aria-hidden="true" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="currentColor"><path d="M15 7C15 6.44772 15.4477 6 16 6C16.5523 6 17 6.44772 17 7V17C17 17.5523 16.5523 18 16 18C15.4477 18 15 17.5523 15 17V7ZM7 7C7 6.44772 7.44772 6 8 6C8.55228 6 9 6.44772 9 7V17C9 17.5523 8.55228 18 8 18C7.44772 18 7 17.5523 7 17V7Z"></path></svg>'),Ts=Oa('<svg aria-hidden="true" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="currentColor"><path d="M4 12H7C8.10457 12 9 12.8954 9 14V19C9 20.1046 8.10457 21 7 21H4C2.89543 21 2 20.1046 2 19V12C2 6.47715 6.47715 2 12 2C17.5228 2 22 6.47715 22 12V19C22 20.1046 21.1046 21 20 21H17C15.8954 21 15 20.1046 15 19V14C15 12.8954 15.8954 12 17 12H20C20 7.58172 16.4183 4 12 4C7.58172 4 4 7.58172 4 12Z"></path></svg>'),Es=ee('<button type="button" class="altcha-button altcha-button-secondary"><!></button>'),Ls=ee('<audio hidden="" autoplay=""></audio>'),$s=ee('<div class="altcha-code-challenge"><form data-code-challenge="true"><!> <div class="altcha-code-challenge-text"> </div> <img class="altcha-code-challenge-image" alt=""/> <div class="altcha-code-challenge-row"><input type="text" class="altcha-input" autocomplete="off" name="" required=""/> <!> <button type="button" class="altcha-button altcha-button-secondary"><svg aria-hidden="true" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="currentColor"><path d="M2 12C2 17.5228 6.47715 22 12 22C17.5228 22 22 17.5228 22 12C22 6.47715 17.5228 2 12 2V4C16.4183 4 20 7.58172 20 12C20 16.4183 16.4183 20 12 20C7.58172 20 4 16.4183 4 12C4 9.25022 5.38734 6.82447 7.50024 5.38451L7.5 8H9.5V2L3.5 2V4L5.99918 3.99989C3.57075 5.82434 2 8.72873 2 12Z"></path></svg></button></div> <div class="altcha-code-challenge-buttons"><button type="submit" class="altcha-button"> </button> <button type="button" class="altcha-button altcha-button-secondary"> </button></div></form> <!></div>');function Rn(e,t){st(t,!0);let r=Q(t,"audioUrl"),a=Q(t,"codeChallenge"),i=Q(t,"config"),o=Q(t,"imageUrl"),s=Q(t,"onCancel"),l=Q(t,"onReload"),f=Q(t,"onSubmit"),c=Q(t,"strings"),d=P(void 0),g=P(void 0),h=P(void 0),m=P(!1),p=P(""),y=P(!1);Fa(()=>{if(!i().disableAutoFocus)Ct().then(()=>{n(h)?.focus()});return()=>{if(n(g))n(g).pause(),A(g,void 0)}});function T(){A(d,de.PAUSED,!0)}function L(k){A(d,de.ERROR,!0)}function J(){A(d,de.READY,!0)}function W(){A(d,de.LOADING,!0)}function ae(){A(d,de.PLAYING,!0)}function D(){A(d,de.PAUSED,!0)}function ke(k){if(k.code==="Space")k.preventDefault(),k.stopPropagation(),V();else if(k.code==="Escape")k.preventDefault(),k.stopPropagation(),s()?.()}function C(k){k.preventDefault(),k.stopPropagation(),f()?.(n(p))}function V(){if(n(g))if(n(d)===de.LOADING);else if(!n(g).paused)n(g).pause();else{if(r()&&n(g).src!==r())n(g).src=r();n(g).currentTime=0,n(g).play()}else A(y,!0),requestAnimationFrame(()=>{if(n(g)&&r())n(g).src=r(),n(g).play()})}var ie={get audioUrl(){return r()},set audioUrl(k){r(k),G()},get codeChallenge(){return a()},set codeChallenge(k){a(k),G()},get config(){return i()},set config(k){i(k),G()},get imageUrl(){return o()},set imageUrl(k){o(k),G()},get onCancel(){return s()},set onCancel(k){s(k),G()},get onReload(){return l()},set onReload(k){l(k),G()},get onSubmit(){return f()},set onSubmit(k){f(k),G()},get strings(){return c()},set strings(k){c(k),G()}},M=$s(),F=re(M),He=re(F);{var be=(k)=>{var ne=_s(),wt=re(ne,!0);Z(ne),pe(()=>Ze(wt,c().verificationRequired)),z(k,ne)};ce(He,(k)=>{if(i().codeChallengeDisplay!=="standard")k(be)})}var we=X(He,2),te=re(we,!0);Z(we);var Ge=X(we,2),x=X(Ge,2),K=re(x);Ha(K),K.disabled=n(m),pt(K,(k)=>A(h,k),()=>n(h));var Se=X(K,2);{var b=(k)=>{var ne=Es(),wt=re(ne);{var Kr=(Ae)=>{var We=Cs();z(Ae,We)},Wt=(Ae)=>{var We=xs();z(Ae,We)},Br=(Ae)=>{var We=Ss();z(Ae,We)},Gr=(Ae)=>{var We=Ts();z(Ae,We)};ce(wt,(Ae)=>{if(n(d)===de.LOADING)Ae(Kr);else if(n(d)===de.ERROR)Ae(Wt,1);else if(n(d)===de.PLAYING)Ae(Br,2);else Ae(Gr,-1)})}Z(ne),pe(()=>{q(ne,"title",c().getAudioChallenge),ne.disabled=n(d)===de.LOADING||n(d)===de.ERROR,q(ne,"aria-label",n(d)===de.LOADING?c().loading:c().getAudioChallenge)}),ue("click",ne,()=>V(),!0),z(k,ne)};ce(Se,(k)=>{if(a().audio)k(b)})}var yt=X(Se,2);Z(x);var gr=X(x,2),Ie=re(gr),qr=re(Ie,!0);Z(Ie);var kt=X(Ie,2),Kt=re(kt,!0);Z(kt),Z(gr),Z(F);var Bt=X(F,2);{var Gt=(k)=>{var ne=Ls();pt(ne,(wt)=>A(g,wt),()=>n(g)),ue("error",ne,L),ue("loadstart",ne,W),ue("canplay",ne,J),ue("pause",ne,D),ue("playing",ne,ae),ue("ended",ne,T),z(k,ne)};ce(Bt,(k)=>{if(n(y))k(Gt)})}return Z(M),pe(()=>{Ze(te,c().enterCodeFromImage),q(Ge,"src",o()),q(K,"minlength",a().length||1),q(K,"maxlength",a().length),q(K,"placeholder",c().enterCode),q(K,"aria-label",n(d)===de.LOADING?c().loading:n(d)===de.PLAYING?"":c().enterCodeAria),q(K,"aria-live",n(d)?"assertive":"polite"),q(K,"aria-busy",n(d)===de.LOADING),q(yt,"title",c().reload),q(yt,"aria-label",c().reload),q(Ie,"aria-label",c().verify),Ze(qr,c().verify),q(kt,"aria-label",c().cancel),Ze(Kt,c().cancel)}),ue("submit",F,C,!0),Or("keydown",K,ke),vs(K,()=>n(p),(k)=>A(p,k)),ue("click",yt,()=>l()?.(),!0),ue("click",kt,()=>s()?.(),!0),z(e,M),ct(ie)}Fr(["keydown"]);mt(Rn,{audioUrl:{},codeChallenge:{},config:{},imageUrl:{},onCancel:{},onReload:{},onSubmit:{},strings:{}},[],[],{mode:"open"});var Is=ee('<div class="altcha-popover-backdrop" data-backdrop=""></div>'),Rs=ee('<div class="altcha-popover-arrow"></div>'),js=ee('<div role="button" class="altcha-popover-close">&times;</div>'),Ps=ee('<!> <div><!> <!> <div class="altcha-popover-content"><!></div></div>',1);function _a(e,t){st(t,!0);let r=Q(t,"anchor"),a=Q(t,"children"),i=Q(t,"display",7,"standard"),o=Q(t,"backdrop",7,!1),s=Q(t,"onClickOutside"),l=Q(t,"onClickOutsideDelay",7,600),f=Q(t,"onClose"),c=Q(t,"placement",7,"auto"),d=Q(t,"updateUISignal"),g=Q(t,"variant",7,"neutral"),h=Dr(t,["$$slots","$$events","$$legacy","$$host","anchor","children","display","backdrop","onClickOutside","onClickOutsideDelay","onClose","placement","updateUISignal","variant"]),m=P(void 0),p=P(void 0),y=P(!1),T=P(0);_e(()=>{if(c()!=="auto")A(y,c()==="top")}),_e(()=>{if(d())D()}),Fa(()=>{let x=i()==="bottomsheet"||i()==="overlay";if(x)n(p)&&document.body.append(n(p)),n(m)&&document.body.append(n(m));return D(),Ct().then(()=>{A(T,Date.now(),!0)}),()=>{if(x)n(p)&&document.body.removeChild(n(p)),n(m)&&document.body.removeChild(n(m))}});function L(){f()?.()}function J(x){let K=x.target;if(!n(m)?.contains(K)&&(!l()||n(T)+l()<Date.now()))s()?.()}function W(){D()}function ae(){D()}function D(){if(r()&&c()==="auto"&&n(m)){let x=r().getBoundingClientRect(),Se=document.documentElement.clientHeight-(x.top+x.height)<n(m).clientHeight;if(n(y)!==Se)A(y,Se)}}var ke={get anchor(){return r()},set anchor(x){r(x),G()},get children(){return a()},set children(x){a(x),G()},get display(){return i()},set display(x="standard"){i(x),G()},get backdrop(){return o()},set backdrop(x=!1){o(x),G()},get onClickOutside(){return s()},set onClickOutside(x){s(x),G()},get onClickOutsideDelay(){return l()},set onClickOutsideDelay(x=600){l(x),G()},get onClose(){return f()},set onClose(x){f(x),G()},get placement(){return c()},set placement(x="auto"){c(x),G()},get updateUISignal(){return d()},set updateUISignal(x){d(x),G()},get variant(){return g()},set variant(x="neutral"){g(x),G()}},C=Ps();ue("click",xt,J,!0),ue("resize",xt,W),ue("scroll",xt,ae);var V=zt(C);{var ie=(x)=>{var K=Is();pt(K,(Se)=>A(p,Se),()=>n(p)),z(x,K)};ce(V,(x)=>{if(o())x(ie)})}var M=X(V,2);Hr(M,()=>({...h,class:`altcha-popover ${(t.class||"")??""}`,"data-popover":!0,"data-variant":g(),"data-top":n(y),"data-display":i()}));var F=re(M);{var He=(x)=>{var K=Rs();z(x,K)};ce(F,(x)=>{if(i()==="standard")x(He)})}var be=X(F,2);{var we=(x)=>{var K=js();ue("click",K,L,!0),z(x,K)};ce(be,(x)=>{if(i()!=="standard")x(we)})}var te=X(be,2),Ge=re(te);return Wl(Ge,()=>a()??ht),Z(te),Z(M),pt(M,(x)=>A(m,x),()=>n(m)),z(e,C),ct(ke)}mt(_a,{anchor:{},children:{},display:{},backdrop:{},onClickOutside:{},onClickOutsideDelay:{},onClose:{},placement:{},updateUISignal:{},variant:{}},[],[],{mode:"open"});function Vs(e){return Array.from(new Uint8Array(e)).map((t)=>t.toString(16).padStart(2,"0")).join("")}function zs(e,t="altcha-css",r){if(typeof document<"u"&&document&&!document.getElementById(t)){let a=document.createElement("style");a.id=t,a.textContent=e;let i=document.currentScript?.nonce??document.querySelector('meta[name="csp-nonce"]')?.content;if(i)a.nonce=i;document.head.appendChild(a)}}async function jn(e){let{challenge:t,concurrency:r=navigator.hardwareConcurrency,controller:a=new AbortController,createWorker:i,onOutOfMemory:o=(h)=>h>1?Math.floor(h/2):0,counterMode:s,timeout:l=90000}=e,f=Math.min(16,Math.max(1,r)),c=[],d=()=>{for(let h of c)h.terminate()};for(let h=0;h<f;h++)c.push(await i(t.parameters.algorithm));let g=null;try{g=await Promise.race(c.map((h,m)=>(a.signal.addEventListener("abort",()=>{h.postMessage({type:"abort"})}),new Promise((p,y)=>{h.addEventListener("error",(T)=>{y(T)}),h.addEventListener("message",(T)=>{if(T.data){for(let L of c)if(L!==h)L.postMessage({type:"abort"});if(T.data.error)return y(Error(T.data.error))}p(T.data)}),h.postMessage({challenge:t,counterMode:s,counterStart:m,counterStep:f,timeout:l,type:"work"})}))))}catch(h){if(h instanceof Error&&!!h?.message?.includes("Out of memory")){if(o){d();let p=o(f);if(p)return jn({...e,challenge:t,controller:a,concurrency:p,createWorker:i})}}throw h}finally{d()}if(a.signal.aborted)return null;return g||null}class Pn{TAG_CODES={INPUT:1,TEXTAREA:2,SELECT:3,BUTTON:4,A:5,DETAILS:6,SUMMARY:7,IFRAME:8,VIDEO:9,AUDIO:10};maxSamples;sampleInterval;target;focusStartTime=0;focusInteraction=0;focusInteractionTimer=null;lastPointerSample=0;lastTouchSample=0;lastScrollSample=0;pendingPointer=null;pendingTouch=null;focus=[];pointer=[];scroll=[];touch=[];constructor(e={}){let{maxSamples:t=60,sampleInterval:r=50,target:a=window}=e;this.maxSamples=t,this.sampleInterval=r,this.target=a,this.attach()}destroy(){let e={capture:!0};this.target.removeEventListener("focusin",this.onFocus,e),this.target.removeEventListener("keydown",this.onInteraction,e),this.target.removeEventListener("pointerdown",this.onInteraction,e),this.target.removeEventListener("pointermove",this.onPointer,e),this.target.removeEventListener("scroll",this.onScroll,e),this.target.removeEventListener("touchmove",this.onTouchMove,e)}export(){return{focus:this.focus,maxTouchPoints:navigator.maxTouchPoints||0,pointer:this.pointer,scroll:this.scroll,time:Date.now(),touch:this.touch}}attach(){let e={passive:!0,capture:!0};this.target.addEventListener("focusin",this.onFocus,e),this.target.addEventListener("keydown",this.onInteraction,e),this.target.addEventListener("pointerdown",this.onInteraction,e),this.target.addEventListener("pointermove",this.onPointer,e),this.target.addEventListener("scroll",this.onScroll,e),this.target.addEventListener("touchmove",this.onTouchMove,e)}evict(e){if(e.length>this.maxSamples)e.splice(0,e.length-this.maxSamples)}onFocus=(e)=>{if(this.focusInteraction===2)return;let t=e.target;if(!(t instanceof Element))return;let r=performance.now();if(this.focusStartTime===0)this.focusStartTime=r;this.focus.push([Math.round(r-this.focusStartTime),t.tabIndex,this.TAG_CODES[t.tagName]??0,this.focusInteraction?1:0]),this.evict(this.focus)};onInteraction=(e)=>{if(this.focusInteraction="keyCode"in e?1:2,this.focusInteractionTimer)clearTimeout(this.focusInteractionTimer);this.focusInteractionTimer=setTimeout(()=>{this.focusInteraction=0},100)};onPointer=(e)=>{if(e.pointerType==="touch")return;let t=e.timeStamp||performance.now();if(this.pendingPointer=[Math.round(e.clientX),Math.round(e.clientY),Math.round(t)],t-this.lastPointerSample>=this.sampleInterval)this.pointer.push(this.pendingPointer),this.lastPointerSample=t,this.pendingPointer=null,this.evict(this.pointer)};onScroll=()=>{let e=performance.now();if(e-this.lastScrollSample<this.sampleInterval)return;this.scroll.push([Math.round(window.scrollY),Math.round(e)]),this.lastScrollSample=e,this.evict(this.scroll)};onTouchMove=(e)=>{let t=e.timeStamp||performance.now(),r=e.touches[0];if(!r)return;if(this.pendingTouch=[Math.round(r.clientX),Math.round(r.clientY),Math.round(t),Math.round(r.force*1000)/1000,Math.round(r.radiusX||0),Math.round(r.radiusY||0)],t-this.lastTouchSample>=this.sampleInterval)this.touch.push(this.pendingTouch),this.lastTouchSample=t,this.pendingTouch=null,this.evict(this.touch)}}var Os=ee('<div class="altcha-overlay-backdrop" data-backdrop=""></div>'),Fs=ee('<div class="altcha-overlay-content"></div>'),Hs=ee('<div role="button" class="altcha-overlay-close">&times;</div> <!>',1),Ds=ee('<div class="altcha-floating-arrow"></div>'),Ms=ee('<input type="hidden"/>'),Ns=ee('<div class="altcha-error">Secure context (HTTPS) required.</div>'),Us=ee('<div class="altcha-error"> </div>'),qs=ee('<div class="altcha-error"> </div>'),Ks=ee("<!> <!>",1),Bs=ee('<!> <div class="altcha"><!> <div class="altcha-main"><div><div class="altcha-checkbox-wrap"><!> <label><!></label></div> <!></div> <!> <!> <!></div> <!></div>',1);function Gs(e,t){st(t,!0);let r=()=>ci(d,"$altchaDefaults",i),a=()=>ci(p,"$altchaI18nStore",i),[i,o]=dl(),s='input[type="text"]:not([data-no-spamfilter]), textarea:not([data-no-spamfilter])',l='input[type="submit"], button[type="submit"], button:not([type="button"]):not([type="reset"])',f=["ar","fa","he","ur"],{isSecureContext:c}=globalThis,{store:d}=globalThis.$altcha.defaults,g=navigator.hardwareConcurrency||2,h=navigator.deviceMemory||0,m=h&&h<=4?Math.min(4,g):g,p=globalThis.$altcha.i18n.store,y=t.$$host,T=(u,v)=>{Ct().then(()=>{y?.dispatchEvent(new CustomEvent(u,{detail:v}))})},L=null,J=P(at(new URL(location.origin))),W=P(!1),ae=P(null),D=P(null),ke=P(null),C=P(at(N.UNVERIFIED)),V=P(void 0),ie=P(void 0),M=P(null),F=P(void 0),He=P(null),be=P(null),we=P(null),te=P(null),Ge=P(at([])),x=P(0),K=P(at({})),Se=P(!0),b=me(()=>({fetch:(u,v)=>fetch(u,v),audioChallengeLanguage:"",auto:"off",barPlacement:"bottom",challenge:"",codeChallenge:null,codeChallengeDisplay:"standard",credentials:null,debug:!1,disableAutoFocus:!1,display:"standard",floatingAnchor:"",floatingOffset:8,floatingPersist:!1,floatingPlacement:"auto",hideFooter:!1,hideLogo:!1,humanInteractionSignature:!0,language:"",mockError:!1,minDuration:500,overlayContent:"",name:"altcha",popoverPlacement:"auto",retryOnOutOfMemoryError:!0,setCookie:null,serverVerificationFields:!1,serverVerificationTimeZone:!1,test:!1,timeout:90000,type:"checkbox",validationMessage:"",verifyFunction:null,verifyUrl:"",workers:m,...r(),...n(K)})),yt=me(()=>`altcha-checkbox-${t.id||Math.floor(Math.random()*1000000000000).toString(16)}`),gr=me(()=>Bn(n(b).type)),Ie=me(()=>n(b).auto),qr=me(()=>n(C)===N.VERIFYING),kt=me(()=>!n(b).hideFooter),Kt=me(()=>!n(b).hideLogo&&n(b).display!=="bar"),Bt=me(()=>Gn(a(),[n(b).language,document.documentElement.lang,...navigator.languages])),Gt=me(()=>f.includes(n(Bt).language)?"rtl":void 0),k=me(()=>({...n(Bt).strings})),ne=me(()=>n(ae)?.audio?.match(/^(https?:)?\//)?pr(n(ae).audio,n(J),{language:n(b).audioChallengeLanguage||n(Bt).language}).toString():n(ae)?.audio),wt=me(()=>n(ae)?.image?.match(/^(https?:)?\//)?pr(n(ae).image,n(J)):n(ae)?.image);_e(()=>{Yt({auto:t.auto,challenge:t.challenge,display:t.display,language:t.language,name:t.name,type:t.type,workers:t.workers})}),_e(()=>{if(t.theme)y?.setAttribute("theme",t.theme);else y?.removeAttribute("theme")}),_e(()=>{if(t.configuration)try{Yt(JSON.parse(t.configuration))}catch{B("unable to parse the `configuration` attribute (JSON expected)")}}),_e(()=>{if(n(ke)!==n(b).display)br(n(b).display)}),_e(()=>{if(n(W)&&n(C)===N.VERIFYING)A(W,!1)}),_e(()=>{if(!n(W)&&n(C)===N.VERIFIED)A(W,!0)}),_e(()=>{if(!n(W)){let u=Wr();if(u&&u.checked)u.checked=!1}}),_e(()=>{if(n(C)===N.VERIFIED)Wr()?.setCustomValidity("")}),_e(()=>{if(n(Ie)==="onload"){let u=setTimeout(()=>{jt()},1);return()=>{if(u)clearTimeout(u)}}}),_e(()=>{if(n(be))B("error:",n(be))}),_e(()=>{if(n(te)&&n(b).setCookie)lo(n(te),n(b).setCookie)}),Fa(()=>{if(B("mounted","3.2.2"),y)globalThis.$altcha.instances.add(y);if(A(M,n(F)?.closest("form"),!0),n(M)?.addEventListener("reset",Ya),n(M)?.addEventListener("submit",Za,{capture:!0}),n(M)?.addEventListener("focusin",Wa),Kr(),n(b).humanInteractionSignature)B("human interaction signature enabled"),L=new Pn;if(T("load"),!c)B("secure context (HTTPS) required");return()=>{if(Br(),y)globalThis.$altcha.instances.delete(y);if(n(we))clearTimeout(n(we));n(M)?.removeEventListener("reset",Ya),n(M)?.removeEventListener("submit",Za,{capture:!0}),n(M)?.removeEventListener("focusin",Wa),L?.destroy()}});function Kr(){A(Ge,[...globalThis.$altcha.plugins].map((u)=>new u(y)),!0),B("activating plugins",n(Ge).map((u)=>u.constructor.name));for(let u of n(Ge))u.activate()}async function Wt(u,...v){let w=void 0;for(let _ of n(Ge))w=await _[u].call(_,...v);return w}function Br(){for(let u of n(Ge))u.destroy()}function Gr(u){let[v,w]=u.salt.split("?"),_={};if(w)try{Object.assign(_,Object.fromEntries(new URLSearchParams(w).entries()))}catch{}let E={codeChallenge:u.codeChallenge,parameters:{algorithm:u.algorithm,cost:1,data:_,expiresAt:_?.expires?parseInt(_.expires,10):void 0,keyLength:u.algorithm==="SHA-512"?64:u.algorithm==="SHA-384"?48:32,nonce:Vs(new TextEncoder().encode(u.salt)),keyPrefix:u.challenge,salt:""},signature:u.signature};return Object.defineProperties(E,{_originalSalt:{enumerable:!1,value:u.salt,writable:!1},_version:{enumerable:!1,value:1,writable:!1}}),E}function Ae(u,v){return{algorithm:u.parameters.algorithm,challenge:u.parameters.keyPrefix,number:v.counter,salt:"_originalSalt"in u?u._originalSalt:u.parameters.nonce,signature:u.signature,took:v.time||0}}async function We(u){await new Promise((v)=>setTimeout(v,u))}async function Ga(u=n(b).challenge,v){let w=await Wt("onFetchChallenge",u),_=null;if(w!==void 0)return w;if(typeof u==="string")if(u.startsWith("{")){B("parsing JSON challenge");try{_=JSON.parse(u)}catch{throw Error("Unable to parse JSON challenge.")}}else{B("fetching challenge from",v?.method||"GET",u),A(J,new URL(u,location.origin),!0);let E=await n(b).fetch(u,{credentials:n(b).credentials||void 0,...v});await Xa(E);let S=E.headers.get("x-altcha-config");if(S)io(S);let U=await E.json();if(U&&"his"in U&&U.his){if(B("requested HIS"),!L)throw Error("Server requested HIS data but collector is disabled.");return Ga(pr(U.his.url,n(J)),{body:JSON.stringify({his:L.export()}),headers:{"content-type":"application/json"},method:"POST"})}if(U&&"hisResult"in U&&U.hisResult)B("HIS result",U.hisResult);_=U}else if(u&&typeof u==="object")try{_=JSON.parse(JSON.stringify(u))}catch{throw Error("Unable to parse JSON challenge.")}if(qn(_))_=Gr(_);if(!Kn(_))throw Error("Challenge validation failed.");return _}function qn(u){return typeof u==="object"&&"challenge"in u}function Kn(u){return!!u&&typeof u==="object"&&"parameters"in u&&!!u.parameters&&typeof u.parameters==="object"&&"algorithm"in u.parameters&&"nonce"in u.parameters&&"salt"in u.parameters&&"keyPrefix"in u.parameters}function Wr(){return document.getElementById(n(yt))}function Bn(u){switch(u){case"checkbox":return Ln;case"switch":return In;case"native":default:return $n}}function Gn(u,v){let w=Object.keys(u).map((E)=>E.toLowerCase()),_=v.reduce((E,S)=>(S=S.toLowerCase(),E||(u[S]?S:null)||w.find((U)=>S.split("-")[0]===U.split("-")[0])||null),null);if(!u[_||""])_="en";return{language:_,strings:u[_]}}function Wn(u){switch(u){case"bar":return n(b).barPlacement||"bottom";case"floating":return n(b).floatingPlacement||"auto";default:return}}function Yn(u){return[...n(M)?.querySelectorAll(s)||[]].reduce((w,_)=>{let{name:E,value:S}=_;if(E&&S)w[E]=/\n/.test(S)?S.replace(new RegExp("(?<!\\r)\\n","g"),`\r
`):S;return w},{})}function Zn(){try{return Intl.DateTimeFormat().resolvedOptions().timeZone}catch{}return}function pr(u,v,w){let _=new URL(u,v);if(!_.search)_.search=v.search;if(w){for(let E in w)if(w[E]!==void 0&&w[E]!==null)_.searchParams.set(E,w[E])}return _.toString()}function Jn(u){if(!n(W)&&u.currentTarget.checked){if(u.preventDefault(),u.currentTarget.checked=!1,n(C)!==N.VERIFYING)jt()}else if(!u.currentTarget.checked)u.preventDefault(),Re()}function Xn(u){if(n(C)===N.VERIFYING)u.currentTarget.setCustomValidity(n(k).waitAlert);else if(n(b).validationMessage)u.currentTarget.setCustomValidity(n(b).validationMessage)}function Qn(){br(n(b).display),Re()}function eo(){mr()}function to(u){let v=u.target;if(n(b).display==="floating"&&v&&!y?.contains(v)&&!v.hasAttribute("data-backdrop")&&!v.closest("[data-popover]")&&n(C)!==N.VERIFIED&&!n(b).floatingPersist)Yr()}function Wa(u){if(n(Ie)==="onfocus"&&n(C)===N.UNVERIFIED)jt()}function Ya(){br(n(b).display),Re()}function Za(u){if(u.target?.getAttribute("data-code-challenge")==="true")return;if(n(Ie)==="onsubmit"&&n(C)===N.UNVERIFIED)u.preventDefault(),u.stopPropagation(),A(He,u.submitter,!0),Zr(),jt().then((w)=>{if(w&&!n(ae))Ct().then(()=>{Ja(n(He))})})}function ro(u){if(u.persisted)br(n(b).display),Re()}function ao(){mr()}function io(u){try{let v=JSON.parse(u);if(v&&typeof v==="object")Yt({serverVerificationFields:v?.sentinel?.fields,serverVerificationTimeZone:v?.sentinel?.timeZone,verifyUrl:v.verifyurl,...v})}catch(v){B("unable to configure from x-altcha-config header",v)}}function no(u=20){if(!n(F))return;let v=n(b).floatingPlacement;if(!n(ie)){if(A(ie,(n(b).floatingAnchor instanceof HTMLElement?n(b).floatingAnchor:n(b).floatingAnchor?document.querySelector(n(b).floatingAnchor):n(M)?.querySelector(l))||n(M),!0),!n(ie)){B("unable to find floating anchor element");return}}let w=parseInt(n(b).floatingOffset,10)||12,_=n(ie).getBoundingClientRect(),E=n(F).getBoundingClientRect(),S=document.documentElement.clientHeight,U=document.documentElement.clientWidth,Te=!v||v==="auto"?_.bottom+E.height+w+u>S:v==="top",Y=Math.max(u,Math.min(U-u-E.width,_.left+_.width/2-E.width/2));if(n(F).style.setProperty("--altcha-floating-left",`${Y}px`),n(F).style.setProperty("--altcha-floating-top",Te?`${_.top-(E.height+w)}px`:`${_.bottom+w}px`),n(F).setAttribute("data-floating-position",Te?"top":"bottom"),n(V)){let le=n(V).getBoundingClientRect();n(V).style.left=_.left-Y+_.width/2-le.width/2+"px"}}async function oo(u,v){let w=await Wt("onRequestServerVerification",u,v);if(w!==void 0)return w;if(B("requesting server verification from",n(b).verifyUrl),!n(b).verifyUrl)throw Error("Parameter verifyUrl must be set for server verification.");let _=await n(b).fetch(pr(n(b).verifyUrl,n(J)),{body:JSON.stringify({code:v,fields:n(b).serverVerificationFields?Yn():void 0,payload:u,timeZone:n(b).serverVerificationTimeZone?Zn():void 0}),credentials:n(b).credentials||void 0,headers:{"Content-Type":"application/json"},method:"POST"});await Xa(_);let E=await _.json();if(E&&typeof E==="object"&&"payload"in E&&!!E.payload)T("serververification",E);return E}function Ja(u){if(n(M)&&"requestSubmit"in n(M))n(M).requestSubmit(u);else if(n(M)?.reportValidity())if(u)u.click();else n(M).submit()}function lo(u,v={}){let{domain:w,name:_=n(b).name,maxAge:E,path:S,sameSite:U,secure:Te}=v,Y=`${encodeURIComponent(_)}=${encodeURIComponent(u)}`;if(w)Y+=`; Domain=${w}`;if(E!=null)Y+=`; Max-Age=${E}`;if(S)Y+=`; Path=${S}`;if(U)Y+=`; SameSite=${U}`;if(Te)Y+="; Secure";document.cookie=Y}function br(u){switch(u){case"bar":case"floating":case"overlay":if(Yr(),!n(Ie)||n(Ie)==="off")n(K).auto="onsubmit";break;case"standard":Zr()}if(n(ke)!==u)A(ke,u,!0)}function so(u){if(n(we))clearTimeout(n(we));let v=()=>{if(n(C)!==N.UNVERIFIED)A(W,!1),je(N.EXPIRED);else Re();T("expired")},w=u*1000-Date.now();if(w>=1)A(we,setTimeout(v,w),!0);else v()}async function Xa(u){if(u.status>=400){if(u.headers.get("content-type")?.includes("/json")){let w;try{w=await u.json()}catch{}if(w&&"error"in w)throw Error(`Server responded with ${u.status} - ${w.error}`)}throw Error(`Server responded with ${u.status}.`)}let v=u.headers.get("content-type");if(!v||!v.includes("/json"))throw Error(`Server responded with invalid content-type. Expected application/json, received ${v}.`)}async function Qa(u){if(!n(te)){je(N.ERROR,"Cannot verify code challenge without PoW payload.");return}je(N.VERIFYING);let v=null;if(n(b).verifyUrl)v=await oo(n(te),u);else if(n(b).verifyFunction)v=await n(b).verifyFunction(n(te),u);else{je(N.ERROR,"Parameter verifyUrl is required for code challenge verification.");return}if(v?.payload)A(te,v.payload,!0),B("server payload",n(te));if(v?.verified===!0){if(B("verified"),je(N.VERIFIED),T("verified",{payload:n(te)}),n(Ie)==="onsubmit")Ct().then(()=>{Ja(n(He))})}else je(N.ERROR,v?.reason||"Verification failed.");if(!n(b).disableAutoFocus)Wr()?.focus()}function Yt(u){Object.assign(n(K),{...Object.fromEntries(Object.entries(u).filter(([v,w])=>w!==void 0))})}function co(){return{...n(b)}}function uo(){return n(C)}function Yr(){A(Se,!1)}function B(...u){if(n(b).debug||u.some((v)=>v instanceof Error))console[u[0]instanceof Error?"error":"log"]("ALTCHA",`[name=${n(b).name}]`,...u)}function Re(u=N.UNVERIFIED,v=null){if(A(W,!1),A(be,v,!0),A(te,null),n(D))n(D).abort();if(n(we))clearTimeout(n(we)),A(we,null);je(u)}function je(u,v=null){A(C,u,!0),A(be,v,!0),T("statechange",{payload:n(te),state:n(C)})}function Zr(){A(Se,!0),Ct().then(()=>{mr()})}function mr(){switch(n(b).display){case"floating":return no()}A(x,n(x)+1)}async function jt(u={}){let{concurrency:v=Math.max(1,n(b).workers),controller:w=new AbortController,minDuration:_=n(b).minDuration}=u,E=performance.now(),S=null,U=null,Te=!1,Y=await Wt("onVerify",u);if(Y!==void 0)return Y;Re(N.VERIFYING),A(D,w,!0);try{if(!c)throw Error("Secure context (HTTPS) required.");if(n(b).mockError)throw Error("Mock error.");if(n(b).test){if(B("running test mode with null challenge"),await We(Math.max(0,_-(performance.now()-E))),n(D)?.signal.aborted)return Re(),null;return A(te,btoa(JSON.stringify({challenge:null,solution:null,test:!0})),!0),B("verified"),je(N.VERIFIED),T("verified",{payload:n(te)}),{payload:n(te)}}if(S=await Ga(),!S)throw Error("Failed to fetch challenge.");if(B("challenge",S),"configuration"in S)B("re-configuring from challenge",S.configuration),Yt(S.configuration);if(S.parameters.expiresAt)so(S.parameters.expiresAt);Te="_version"in S&&S._version===1;let le=globalThis.$altcha.algorithms.get(S.parameters.algorithm);if(!le)throw Error(`Unsupported algorithm ${S.parameters.algorithm}.`);if(U=await jn({challenge:S,concurrency:v,controller:w,createWorker:le,counterMode:Te?"string":"uint32",onOutOfMemory:(ut)=>{if(B("out of memory error received"),T("outofmemory"),n(b).retryOnOutOfMemoryError&&ut>1){let ft=Math.floor(ut/2);return B(`retrying with ${ft} workers...`),ft}},timeout:n(b).timeout}),n(D)?.signal.aborted)return Re(),null;if(!U)throw Error("Failed to find solution.");if(B("solution",U),await We(Math.max(0,_-(performance.now()-E))),A(ae,S.codeChallenge||n(b).codeChallenge||null,!0),Te)A(te,btoa(JSON.stringify(Ae(S,U))),!0);else A(te,btoa(JSON.stringify({challenge:{parameters:S.parameters,signature:S.signature},solution:U})),!0);if(n(ae))B("requesting code verification"),je(N.CODE),T("codechallenge",{codeChallenge:n(ae)});else if(n(b).verifyUrl)await Qa();else B("verified"),je(N.VERIFIED),T("verified",{payload:n(te)})}catch(le){return B("verification failed",le),je(N.ERROR,String(le)),null}finally{A(D,null)}return{challenge:S,payload:n(te),solution:U}}var fo={configure:Yt,getConfiguration:co,getState:uo,hide:Yr,log:B,reset:Re,setState:je,show:Zr,updateUI:mr,verify:jt},ei=Bs();ue("scroll",ha,eo),ue("click",ha,to),ue("pageshow",xt,ro),ue("resize",xt,ao);var ti=zt(ei);{var ho=(u)=>{var v=Os();z(u,v)};ce(ti,(u)=>{if(n(b).display==="overlay"&&n(Se))u(ho)})}var Ye=X(ti,2),ri=re(Ye);{var vo=(u)=>{var v=Hs(),w=zt(v),_=X(w,2);{var E=(S)=>{var U=Fs();An(U,()=>document.querySelector(n(b).overlayContent)?.innerHTML,!0),Z(U),z(S,U)};ce(_,(S)=>{if(n(b).overlayContent)S(E)})}ue("click",w,Qn,!0),z(u,v)};ce(ri,(u)=>{if(n(b).display==="overlay"&&n(Se))u(vo)})}var Jr=X(ri,2),Xr=re(Jr),Qr=re(Xr),ai=re(Qr);{let u=me(()=>n(b).display==="standard"&&n(Ie)!=="onsubmit"||n(C)===N.VERIFYING);Jl(ai,()=>n(gr),(v,w)=>{w(v,{get id(){return n(yt)},name:"",get required(){return n(u)},get loading(){return n(qr)},get checked(){return n(W)},onchange:Jn,oninvalid:Xn})})}var ea=X(ai,2),go=re(ea);{var po=(u)=>{var v=kr();pe(()=>Ze(v,n(k).verificationRequired)),z(u,v)},bo=(u)=>{var v=kr();pe(()=>Ze(v,n(k).verifying)),z(u,v)},mo=(u)=>{var v=kr();pe(()=>Ze(v,n(k).verified)),z(u,v)},yo=(u)=>{var v=kr();pe(()=>Ze(v,n(k).label)),z(u,v)};ce(go,(u)=>{if(n(C)===N.CODE&&n(ae))u(po);else if(n(C)===N.VERIFYING)u(bo,1);else if(n(C)===N.VERIFIED)u(mo,2);else u(yo,-1)})}Z(ea),Z(Qr);var ko=X(Qr,2);{var wo=(u)=>{Ma(u,{get strings(){return n(k)}})};ce(ko,(u)=>{if(n(Kt))u(wo)})}Z(Xr);var ii=X(Xr,2);{var Ao=(u)=>{{let v=me(()=>n(b).display==="bar"&&n(Kt));Aa(u,{get logo(){return n(v)},get strings(){return n(k)}})}};ce(ii,(u)=>{if(n(kt))u(Ao)})}var ni=X(ii,2);{var _o=(u)=>{var v=Ds();pt(v,(w)=>A(V,w),()=>n(V)),z(u,v)};ce(ni,(u)=>{if(n(b).display==="floating")u(_o)})}var Co=X(ni,2);{var xo=(u)=>{var v=Ms();Ha(v),pe(()=>{q(v,"name",n(b).name),fs(v,n(te))}),z(u,v)};ce(Co,(u)=>{if(!n(b).setCookie)u(xo)})}Z(Jr);var So=X(Jr,2);{var To=(u)=>{_a(u,{get anchor(){return n(F)},onClickOutside:()=>{if(c)Re()},get placement(){return n(b).popoverPlacement},role:"alert",variant:"error",get dir(){return n(Gt)},get updateUISignal(){return n(x)},children:(v,w)=>{var _=bi(),E=zt(_);{var S=(Y)=>{var le=Ns();z(Y,le)},U=(Y)=>{var le=Us(),ut=re(le,!0);Z(le),pe(()=>Ze(ut,n(k).expired)),z(Y,le)},Te=(Y)=>{var le=qs(),ut=re(le,!0);Z(le),pe(()=>{q(le,"title",n(be)),Ze(ut,n(k).error)}),z(Y,le)};ce(E,(Y)=>{if(!n(be)&&!c)Y(S);else if(!n(be)&&n(C)===N.EXPIRED)Y(U,1);else Y(Te,-1)})}z(v,_)},$$slots:{default:!0}})},Eo=(u)=>{var v=bi(),w=zt(v);Zl(w,()=>n(ae),(_)=>{{let E=me(()=>n(b).codeChallengeDisplay!=="standard");_a(_,{get anchor(){return n(F)},get backdrop(){return n(E)},get display(){return n(b).codeChallengeDisplay},onClose:()=>{Re()},get placement(){return n(b).popoverPlacement},role:"dialog",get "aria-label"(){return n(k).verificationRequired},get dir(){return n(Gt)},get updateUISignal(){return n(x)},children:(S,U)=>{var Te=Ks(),Y=zt(Te);Rn(Y,{get audioUrl(){return n(ne)},get imageUrl(){return n(wt)},onCancel:()=>Re(),onReload:()=>jt(),onSubmit:(ft)=>Qa(ft),get codeChallenge(){return n(ae)},get config(){return n(b)},get strings(){return n(k)}});var le=X(Y,2);{var ut=(ft)=>{Aa(ft,{get logo(){return n(Kt)},get strings(){return n(k)}})};ce(le,(ft)=>{if(n(kt)&&n(b).codeChallengeDisplay!=="standard")ft(ut)})}z(S,Te)},$$slots:{default:!0}})}}),z(u,v)};ce(So,(u)=>{if(n(be)||n(C)===N.EXPIRED||!c)u(To);else if(n(ae)&&n(C)===N.CODE)u(Eo,1)})}Z(Ye),pt(Ye,(u)=>A(F,u),()=>n(F)),pe((u)=>{q(Ye,"data-state",n(C)),q(Ye,"data-display",n(b).display||void 0),q(Ye,"data-placement",u),q(Ye,"data-visible",n(Se)||void 0),q(Ye,"dir",n(Gt)),q(ea,"for",n(yt)),Ye.dir=Ye.dir},[()=>Wn(n(b).display)]),z(e,ei);var Lo=ct(fo);return o(),Lo}if(typeof window<"u"&&window.customElements&&!customElements.get("altcha-widget"))customElements.define("altcha-widget",mt(Gs,{auto:{type:"String"},challenge:{type:"String"},configuration:{type:"String"},display:{type:"String"},language:{type:"String"},name:{type:"String"},theme:{type:"String"},type:{type:"String"},workers:{type:"Number"}},[],["configure","getConfiguration","getState","hide","log","reset","setState","show","updateUI","verify"]));var Vn=`(function() {
  "use strict";
  function bufferStartsWith(buffer, prefix) {
    if (prefix.length > buffer.length) {
      return false;
    }
    for (let i = 0; i < prefix.length; i++) {
      if (buffer[i] !== prefix[i]) {
        return false;
      }
    }
    return true;
  }
  function bufferToHex(buffer) {
    return Array.from(new Uint8Array(buffer)).map((b) => b.toString(16).padStart(2, "0")).join("");
  }
  function concatBuffers(a, b) {
    const out = new Uint8Array(a.length + b.length);
    out.set(a, 0);
    out.set(b, a.length);
    return out;
  }
  function hexToBuffer(hex) {
    if (hex.length % 2 !== 0) {
      throw new Error(\`Hex string must have an even length. Got: \${hex}\`);
    }
    const buffer = new ArrayBuffer(hex.length / 2);
    const view = new DataView(buffer);
    for (let i = 0; i < hex.length; i += 2) {
      const byteString = hex.substring(i, i + 2);
      const byteValue = parseInt(byteString, 16);
      view.setUint8(i / 2, byteValue);
    }
    return new Uint8Array(buffer);
  }
  async function delay(ms) {
    await new Promise((resolve) => setTimeout(resolve, ms));
  }
  function timeDuration(start) {
    return Math.floor((performance.now() - start) * 10) / 10;
  }
  class PasswordBuffer {
    constructor(nonce, mode = "uint32") {
      this.nonce = nonce;
      this.mode = mode;
      this.buffer = new Uint8Array(this.nonce.length + this.COUNTER_BYTES);
      this.buffer.set(this.nonce, 0);
      this.dataView = new DataView(this.buffer.buffer);
    }
    nonce;
    mode;
    COUNTER_BYTES = 4;
    buffer;
    dataView;
    encoder = new TextEncoder();
    /**
     * Appends the counter to the nonce buffer.
     * In 'string' mode, encodes the counter as a UTF-8 string.
     * In 'uint32' mode, writes the counter as a big-endian 32-bit integer.
     */
    setCounter(n) {
      if (this.mode === "string") {
        return concatBuffers(this.nonce, this.encoder.encode(n.toString()));
      }
      this.dataView.setUint32(this.nonce.length, n, false);
      return this.buffer;
    }
  }
  async function solveChallenge(options) {
    const {
      challenge,
      controller,
      counterMode = "uint32",
      counterStart = 0,
      counterStep = 1,
      deriveKey: deriveKey2,
      timeout = 9e4
    } = options;
    const { nonce, keyPrefix, salt } = challenge.parameters;
    const nonceBuf = hexToBuffer(nonce);
    const saltBuf = hexToBuffer(salt);
    const keyPrefixBuf = keyPrefix.length % 2 === 0 ? hexToBuffer(keyPrefix) : null;
    const password = new PasswordBuffer(nonceBuf, counterMode);
    const start = performance.now();
    let counter = counterStart;
    let iterations = 0;
    let derivedKeyHex = "";
    let lastYield = start;
    while (true) {
      if (controller?.signal.aborted || timeout && iterations % 10 === 0 && performance.now() - start > timeout) {
        return null;
      }
      const { derivedKey } = await deriveKey2(
        challenge.parameters,
        saltBuf,
        password.setCounter(counter)
      );
      if (iterations % 10 === 0 && performance.now() - lastYield > 200) {
        await delay(0);
        lastYield = performance.now();
      }
      if (keyPrefixBuf ? bufferStartsWith(derivedKey, keyPrefixBuf) : bufferToHex(derivedKey).startsWith(keyPrefix)) {
        derivedKeyHex = bufferToHex(derivedKey);
        break;
      }
      counter = counter + counterStep;
      iterations = iterations + 1;
    }
    return {
      counter,
      derivedKey: derivedKeyHex,
      time: timeDuration(start)
    };
  }
  function handler(options) {
    const { deriveKey: deriveKey2 } = options;
    let controller = void 0;
    self.onmessage = async (message) => {
      const { challenge, counterMode, counterStart, counterStep, timeout, type } = message.data;
      if (type === "abort") {
        controller?.abort();
      } else if (type === "work") {
        controller = new AbortController();
        let solution;
        try {
          solution = await solveChallenge({
            challenge,
            controller,
            counterStart,
            counterStep,
            deriveKey: deriveKey2,
            counterMode,
            timeout
          });
        } catch (err) {
          return self.postMessage({ error: err });
        }
        self.postMessage(solution);
      }
    };
  }
  function getDigest(algorithm) {
    switch (algorithm) {
      case "PBKDF2/SHA-512":
        return "SHA-512";
      case "PBKDF2/SHA-384":
        return "SHA-384";
      case "PBKDF2/SHA-256":
      default:
        return "SHA-256";
    }
  }
  async function deriveKey(parameters, salt, password) {
    const { algorithm, cost, keyLength = 32 } = parameters;
    const passwordKey = await crypto.subtle.importKey(
      "raw",
      password,
      { name: "PBKDF2" },
      false,
      ["deriveKey"]
    );
    const derivedKey = await crypto.subtle.deriveKey(
      {
        name: "PBKDF2",
        salt,
        iterations: cost,
        hash: getDigest(algorithm)
      },
      passwordKey,
      { name: "AES-GCM", length: keyLength * 8 },
      true,
      ["encrypt"]
    );
    return {
      derivedKey: new Uint8Array(await crypto.subtle.exportKey("raw", derivedKey))
    };
  }
  handler({
    deriveKey
  });
})();
`,Ai=typeof self<"u"&&self.Blob&&new Blob(["(self.URL || self.webkitURL).revokeObjectURL(self.location.href);",Vn],{type:"text/javascript;charset=utf-8"});function Na(e){let t;try{if(t=Ai&&(self.URL||self.webkitURL).createObjectURL(Ai),!t)throw"";let r=new Worker(t,{name:e?.name});return r.addEventListener("error",()=>{(self.URL||self.webkitURL).revokeObjectURL(t)}),r}catch(r){return new Worker("data:text/javascript;charset=utf-8,"+encodeURIComponent(Vn),{name:e?.name})}}var zn=`(function() {
  "use strict";
  function bufferStartsWith(buffer, prefix) {
    if (prefix.length > buffer.length) {
      return false;
    }
    for (let i = 0; i < prefix.length; i++) {
      if (buffer[i] !== prefix[i]) {
        return false;
      }
    }
    return true;
  }
  function bufferToHex(buffer) {
    return Array.from(new Uint8Array(buffer)).map((b) => b.toString(16).padStart(2, "0")).join("");
  }
  function concatBuffers(a, b) {
    const out = new Uint8Array(a.length + b.length);
    out.set(a, 0);
    out.set(b, a.length);
    return out;
  }
  function hexToBuffer(hex) {
    if (hex.length % 2 !== 0) {
      throw new Error(\`Hex string must have an even length. Got: \${hex}\`);
    }
    const buffer = new ArrayBuffer(hex.length / 2);
    const view = new DataView(buffer);
    for (let i = 0; i < hex.length; i += 2) {
      const byteString = hex.substring(i, i + 2);
      const byteValue = parseInt(byteString, 16);
      view.setUint8(i / 2, byteValue);
    }
    return new Uint8Array(buffer);
  }
  async function delay(ms) {
    await new Promise((resolve) => setTimeout(resolve, ms));
  }
  function timeDuration(start) {
    return Math.floor((performance.now() - start) * 10) / 10;
  }
  class PasswordBuffer {
    constructor(nonce, mode = "uint32") {
      this.nonce = nonce;
      this.mode = mode;
      this.buffer = new Uint8Array(this.nonce.length + this.COUNTER_BYTES);
      this.buffer.set(this.nonce, 0);
      this.dataView = new DataView(this.buffer.buffer);
    }
    nonce;
    mode;
    COUNTER_BYTES = 4;
    buffer;
    dataView;
    encoder = new TextEncoder();
    /**
     * Appends the counter to the nonce buffer.
     * In 'string' mode, encodes the counter as a UTF-8 string.
     * In 'uint32' mode, writes the counter as a big-endian 32-bit integer.
     */
    setCounter(n) {
      if (this.mode === "string") {
        return concatBuffers(this.nonce, this.encoder.encode(n.toString()));
      }
      this.dataView.setUint32(this.nonce.length, n, false);
      return this.buffer;
    }
  }
  async function solveChallenge(options) {
    const {
      challenge,
      controller,
      counterMode = "uint32",
      counterStart = 0,
      counterStep = 1,
      deriveKey: deriveKey2,
      timeout = 9e4
    } = options;
    const { nonce, keyPrefix, salt } = challenge.parameters;
    const nonceBuf = hexToBuffer(nonce);
    const saltBuf = hexToBuffer(salt);
    const keyPrefixBuf = keyPrefix.length % 2 === 0 ? hexToBuffer(keyPrefix) : null;
    const password = new PasswordBuffer(nonceBuf, counterMode);
    const start = performance.now();
    let counter = counterStart;
    let iterations = 0;
    let derivedKeyHex = "";
    let lastYield = start;
    while (true) {
      if (controller?.signal.aborted || timeout && iterations % 10 === 0 && performance.now() - start > timeout) {
        return null;
      }
      const { derivedKey } = await deriveKey2(
        challenge.parameters,
        saltBuf,
        password.setCounter(counter)
      );
      if (iterations % 10 === 0 && performance.now() - lastYield > 200) {
        await delay(0);
        lastYield = performance.now();
      }
      if (keyPrefixBuf ? bufferStartsWith(derivedKey, keyPrefixBuf) : bufferToHex(derivedKey).startsWith(keyPrefix)) {
        derivedKeyHex = bufferToHex(derivedKey);
        break;
      }
      counter = counter + counterStep;
      iterations = iterations + 1;
    }
    return {
      counter,
      derivedKey: derivedKeyHex,
      time: timeDuration(start)
    };
  }
  function handler(options) {
    const { deriveKey: deriveKey2 } = options;
    let controller = void 0;
    self.onmessage = async (message) => {
      const { challenge, counterMode, counterStart, counterStep, timeout, type } = message.data;
      if (type === "abort") {
        controller?.abort();
      } else if (type === "work") {
        controller = new AbortController();
        let solution;
        try {
          solution = await solveChallenge({
            challenge,
            controller,
            counterStart,
            counterStep,
            deriveKey: deriveKey2,
            counterMode,
            timeout
          });
        } catch (err) {
          return self.postMessage({ error: err });
        }
        self.postMessage(solution);
      }
    };
  }
  async function deriveKey(parameters, salt, password) {
    const { algorithm, keyLength = 32 } = parameters;
    const iterations = Math.max(1, parameters.cost);
    let data = void 0;
    let derivedKey = void 0;
    for (let i = 0; i < iterations; i++) {
      if (i === 0) {
        data = concatBuffers(salt, password);
      } else {
        data = derivedKey;
      }
      derivedKey = new Uint8Array(
        (await crypto.subtle.digest(algorithm, data)).slice(0, keyLength)
      );
    }
    return {
      parameters: {},
      derivedKey
    };
  }
  handler({
    deriveKey
  });
})();
`,_i=typeof self<"u"&&self.Blob&&new Blob(["(self.URL || self.webkitURL).revokeObjectURL(self.location.href);",zn],{type:"text/javascript;charset=utf-8"});function Ua(e){let t;try{if(t=_i&&(self.URL||self.webkitURL).createObjectURL(_i),!t)throw"";let r=new Worker(t,{name:e?.name});return r.addEventListener("error",()=>{(self.URL||self.webkitURL).revokeObjectURL(t)}),r}catch(r){return new Worker("data:text/javascript;charset=utf-8,"+encodeURIComponent(zn),{name:e?.name})}}var Ws=`:root {
  --altcha-border-color: var(--altcha-color-neutral);
  --altcha-border-width: 1px;
  --altcha-border-radius: 6px;
  --altcha-color-base: light-dark(oklch(100% 0.00011 271.152), oklch(20.904% 0.00002 271.152));
  --altcha-color-base-content: light-dark(
  	oklch(20.904% 0.00002 271.152),
  	oklch(100% 0.00011 271.152)
  );
  --altcha-color-error: oklch(51.284% 0.20527 28.678);
  --altcha-color-error-content: oklch(100% 0.00011 271.152);
  --altcha-color-neutral: light-dark(oklch(83.591% 0.0001 271.152), oklch(46.04% 0.00005 271.152));
  --altcha-color-neutral-content: light-dark(
  	oklch(46.76% 0.00005 271.152),
  	oklch(100% 0.00011 271.152)
  );
  --altcha-color-primary: oklch(40.279% 0.2449 268.131);
  --altcha-color-primary-content: oklch(100% 0.00011 271.152);
  --altcha-color-success: oklch(55.748% 0.18968 142.511);
  --altcha-color-success-content: oklch(100% 0.00011 271.152);
  --altcha-checkbox-border-color: light-dark(
  	oklch(66.494% 0.00233 15.434),
  	oklch(51.028% 0.00006 271.152)
  );
  --altcha-checkbox-border-radius: 5px;
  --altcha-checkbox-border-width: var(--altcha-border-width);
  --altcha-checkbox-outline: 2px solid var(--altcha-checkbox-outline-color);
  --altcha-checkbox-outline-color: -webkit-focus-ring-color;
  --altcha-checkbox-outline-offset: 2px;
  --altcha-checkbox-size: 22px;
  --altcha-checkbox-transition-duration: var(--altcha-transition-duration);
  --altcha-input-background-color: var(--altcha-color-base);
  --altcha-input-border-radius: 3px;
  --altcha-input-border-width: 1px;
  --altcha-input-color: var(--altcha-color-base-content);
  --altcha-max-width: 320px;
  --altcha-padding: 0.75rem;
  --altcha-popover-arrow-size: 6px;
  --altcha-popover-color: var(--altcha-border-color);
  --altcha-shadow: drop-shadow(3px 3px 6px oklch(0% 0 0 / 0.2));
  --altcha-spinner-color: var(--altcha-color-base-content);
  --altcha-switch-background-color: var(--altcha-color-neutral);
  --altcha-switch-border-radius: calc(infinity * 1px);
  --altcha-switch-height: var(--altcha-checkbox-size);
  --altcha-switch-padding: 0.25rem;
  --altcha-switch-width: calc(var(--altcha-checkbox-size) * 1.75);
  --altcha-switch-toggle-border-radius: 100%;
  --altcha-switch-toggle-color: var(--altcha-color-neutral-content);
  --altcha-switch-toggle-size: calc(
  	var(--altcha-switch-height) - calc(var(--altcha-switch-padding) * 2)
  );
  --altcha-transition-duration: 0.6s;
  --altcha-z-index: 99999999;
  --altcha-z-index-popover: 999999999;
}

@supports (-moz-appearance: none) {
  :root {
    --altcha-checkbox-outline-color: var(--altcha-color-primary);
  }
}
.altcha {
  all: revert-layer;
  display: none;
  font-family: inherit;
  font-size: inherit;
  position: relative;
}
.altcha[data-visible] {
  display: block;
}
.altcha-popover, .altcha-popover * {
  all: revert-layer;
  box-sizing: border-box;
  font-family: inherit;
  font-size: inherit;
  line-height: 1.25;
}
.altcha * {
  all: revert-layer;
  box-sizing: border-box;
  font-family: inherit;
  font-size: inherit;
  line-height: 1.25;
}
.altcha a, .altcha-popover a {
  color: currentColor;
  text-decoration: none;
}
.altcha a:hover, .altcha-popover a:hover {
  color: currentColor;
}
.altcha-main {
  align-items: start;
  background-color: var(--altcha-color-base);
  border: var(--altcha-border-width, 1px) solid var(--altcha-border-color);
  border-radius: var(--altcha-border-radius, 0);
  color: var(--altcha-color-base-content);
  display: flex;
  flex-direction: column;
  gap: 0.5rem;
  justify-content: space-between;
  padding: var(--altcha-padding);
  max-width: var(--altcha-max-width, 100%);
}
.altcha-main > * {
  display: flex;
  width: 100%;
}
.altcha-main > *:first-child {
  flex-grow: 1;
}
.altcha-checkbox-wrap {
  align-items: center;
  display: flex;
  flex-direction: row;
  flex-grow: 1;
  gap: 0.5rem;
}
.altcha-checkbox-wrap > * {
  display: flex;
}
.altcha-logo {
  opacity: 0.7;
}
.altcha-footer {
  align-items: center;
  display: flex;
  flex-grow: 1;
  gap: 0.5rem;
  justify-content: flex-end;
  font-size: 0.7rem;
  opacity: 0.7;
}
.altcha-footer p {
  margin: 0;
  padding: 0;
}
.altcha-error {
  font-size: 0.85rem;
}
.altcha-button {
  align-items: center;
  background: var(--altcha-color-primary);
  border: var(--altcha-input-border-width) solid var(--altcha-color-primary);
  border-radius: var(--altcha-input-border-radius);
  color: var(--altcha-color-primary-content);
  cursor: pointer;
  display: flex;
  font-size: 0.9rem;
  gap: 0.5rem;
  padding: 0.35rem;
}
.altcha-button:focus {
  border-color: var(--altcha-color-primary);
  outline: var(--altcha-checkbox-outline);
  outline-offset: var(--altcha-checkbox-outline-offset);
}
.altcha-button > .altcha-spinner, .altcha-button > svg {
  height: 20px;
  width: 20px;
}
.altcha-button-secondary {
  background: transparent;
  border-color: var(--altcha-color-neutral);
  color: var(--altcha-color-neutral-content);
}
.altcha-input {
  background: var(--altcha-input-background-color);
  border: var(--altcha-input-border-width) solid var(--altcha-color-neutral);
  border-radius: var(--altcha-input-border-radius);
  color: var(--altcha-input-color);
  flex-grow: 1;
  font-size: 1rem;
  min-width: 0;
  padding: 0.25rem;
  width: auto;
}
.altcha-input:focus {
  border-color: var(--altcha-color-primary);
  outline: var(--altcha-checkbox-outline);
  outline-offset: var(--altcha-checkbox-outline-offset);
}
.altcha-spinner {
  animation: altcha-rotate 0.6s linear infinite;
  border-radius: 100%;
  border: var(--altcha-checkbox-border-width) solid var(--altcha-spinner-color);
  border-bottom-color: transparent;
  border-right-color: transparent;
  opacity: 0.7;
}
.altcha-popover {
  background-color: var(--altcha-color-base);
  border: var(--altcha-border-width) solid var(--altcha-border-color);
  border-radius: var(--altcha-border-radius);
  color: var(--altcha-color-base-content);
  filter: var(--altcha-shadow);
  position: absolute;
  left: calc(var(--altcha-padding) / 2);
  max-width: calc(var(--altcha-max-width) - var(--altcha-padding));
  top: calc(var(--altcha-padding) + var(--altcha-checkbox-size) + var(--altcha-popover-arrow-size));
  z-index: var(--altcha-z-index-popover);
}
.altcha-popover-arrow {
  border: var(--altcha-popover-arrow-size) solid transparent;
  border-bottom-color: var(--altcha-popover-color);
  content: "";
  height: 0;
  left: calc(var(--altcha-checkbox-size) / 2);
  position: absolute;
  top: calc(var(--altcha-popover-arrow-size) * -2);
  width: 0;
}
.altcha-popover-content {
  max-height: 100dvh;
  overflow: auto;
  padding: var(--altcha-padding);
}
.altcha-popover[data-top=true][data-display=standard] {
  bottom: calc(100% - (var(--altcha-padding) - var(--altcha-popover-arrow-size)));
  top: auto;
}
.altcha-popover[data-top=true][data-display=standard] .altcha-popover-arrow {
  border-bottom-color: transparent;
  border-top-color: var(--altcha-popover-color);
  bottom: calc(var(--altcha-popover-arrow-size) * -2);
  top: auto;
}
.altcha-popover[data-variant=error] {
  --altcha-popover-color: var(--altcha-color-error);
  background-color: var(--altcha-color-error);
  border-color: var(--altcha-color-error);
  color: var(--altcha-color-error-content);
}
.altcha-popover[data-variant=error] .altcha-popover-content {
  padding: calc(var(--altcha-padding) / 1.5) var(--altcha-padding);
}
.altcha-popover[data-display=overlay] {
  animation: altcha-overlay-slidein 0.5s forwards;
  left: 50%;
  position: fixed;
  top: 45%;
  transform: translate(-50%, -50%);
  width: var(--altcha-max-width);
  z-index: var(--altcha-z-index);
}
.altcha-popover[data-display=bottomsheet] {
  animation: altcha-bottomsheet-slideup 0.5s forwards;
  border-bottom-left-radius: 0;
  border-bottom-right-radius: 0;
  border-bottom: 0;
  bottom: -100%;
  left: 50%;
  position: fixed;
  top: auto;
  transform: translate(-50%, 0);
  width: var(--altcha-max-width);
  z-index: var(--altcha-z-index);
}
.altcha-popover[data-display=bottomsheet] .altcha-popover-content {
  padding-bottom: calc(var(--altcha-padding) * 2);
}
.altcha-popover-backdrop {
  background: var(--altcha-color-base-content);
  bottom: 0;
  left: 0;
  opacity: 0.1;
  position: fixed;
  right: 0;
  top: 0;
  transition: opacity 0.5s;
  z-index: var(--altcha-z-index);
}
.altcha-popover-close {
  color: var(--altcha-color-base-content);
  cursor: pointer;
  display: inline-block;
  font-size: 1rem;
  height: 1.25rem;
  line-height: 0.95;
  position: absolute;
  right: 0;
  text-align: center;
  text-shadow: 0 0 1px var(--altcha-color-base);
  top: -1.5rem;
  width: 1.25rem;
  z-index: var(--altcha-z-index);
}
[dir=rtl] .altcha-popover {
  left: auto;
  right: calc(var(--altcha-padding) / 2);
}
[dir=rtl] .altcha-popover-arrow {
  left: auto;
  right: calc(var(--altcha-checkbox-size) / 2);
}
[dir=rtl] .altcha-popover-close {
  left: 0;
  right: auto;
}
.altcha-popover[data-display=bottomsheet] .altcha-footer, .altcha-popover[data-display=overlay] .altcha-footer {
  align-items: center;
  justify-content: center;
  padding-top: 1rem;
  gap: 0.5rem;
}
.altcha-popover[data-display=bottomsheet] .altcha-footer svg, .altcha-popover[data-display=overlay] .altcha-footer svg {
  height: 18px;
  width: 18px;
  vertical-align: middle;
}
.altcha-code-challenge > form {
  display: flex;
  flex-direction: column;
  gap: 0.5rem;
}
.altcha-code-challenge-title {
  font-weight: 600;
}
.altcha-code-challenge-text {
  font-size: 0.85rem;
}
.altcha-code-challenge-image {
  background: white;
  border: var(--altcha-input-border-width) solid var(--altcha-color-neutral);
  border-radius: var(--altcha-input-border-radius);
  object-fit: contain;
  height: 50px;
}
.altcha-code-challenge-row {
  display: flex;
  gap: 0.5rem;
}
.altcha-code-challenge-buttons {
  align-items: center;
  display: flex;
  flex-direction: column;
  gap: 0.5rem;
  margin-top: var(--altcha-padding);
  justify-content: space-between;
}
.altcha-code-challenge-buttons button {
  justify-content: center;
  width: 100%;
}
.altcha-checkbox {
  cursor: pointer;
  height: var(--altcha-checkbox-size);
  position: relative;
  width: var(--altcha-checkbox-size);
}
.altcha-checkbox input {
  appearance: none;
  background: var(--altcha-input-background-color);
  border: var(--altcha-checkbox-border-width, 2px) solid var(--altcha-checkbox-border-color);
  border-radius: var(--altcha-checkbox-border-radius);
  cursor: pointer;
  height: var(--altcha-checkbox-size);
  left: 0;
  margin: 0;
  padding: 0;
  position: absolute;
  top: 0;
  width: var(--altcha-checkbox-size);
}
@supports (hanging-punctuation: first) and (font: -apple-system-body) and (-webkit-appearance: none) {
  .altcha-checkbox input {
    /* Safari-only: fixes focus outline */
  }
  .altcha-checkbox input:focus {
    outline-width: 2px;
    outline-style: solid;
  }
}
.altcha-checkbox input:before {
  border-radius: var(--altcha-checkbox-border-radius);
  content: "";
  width: 100%;
  height: 100%;
  background: var(--altcha-color-neutral);
  display: block;
  transform: scale(0);
}
.altcha-checkbox input:checked {
  background-color: var(--altcha-color-success);
  border-color: var(--altcha-color-success);
}
.altcha-checkbox input:checked::before {
  background-color: var(--altcha-color-success);
  opacity: 0;
  transform: scale(2.2);
  transition: all var(--altcha-checkbox-transition-duration) ease;
  transition-delay: 0.1s;
}
.altcha-checkbox svg {
  --altcha-radio-svg-size: calc(var(--altcha-checkbox-size) * 0.5);
  --altcha-radio-svg-offset: calc(var(--altcha-checkbox-size) * 0.25);
  fill: none;
  left: var(--altcha-radio-svg-offset);
  height: var(--altcha-radio-svg-size);
  opacity: 0;
  position: absolute;
  stroke: currentColor;
  stroke-width: 2;
  stroke-linecap: round;
  stroke-linejoin: round;
  stroke-dasharray: 16px;
  stroke-dashoffset: 16px;
  top: var(--altcha-radio-svg-offset);
  transform: translate3d(0, 0, 0);
  width: var(--altcha-radio-svg-size);
}
.altcha-checkbox input:checked + svg {
  color: var(--altcha-color-success-content);
  opacity: 1;
  stroke-dashoffset: 0;
  transition: all var(--altcha-checkbox-transition-duration) ease;
  transition-delay: 0.1s;
}
.altcha-checkbox-spinner {
  display: none;
  left: 0;
  height: var(--altcha-checkbox-size);
  position: absolute;
  top: 0;
  width: var(--altcha-checkbox-size);
}
.altcha-checkbox[data-loading=true] input {
  appearance: none;
  opacity: 0;
  pointer-events: none;
}
.altcha-checkbox[data-loading=true] .altcha-checkbox-spinner {
  display: block;
}
.altcha-checkbox-native {
  height: var(--altcha-checkbox-size);
  position: relative;
  width: var(--altcha-checkbox-size);
}
.altcha-checkbox-native input {
  height: var(--altcha-checkbox-size);
  margin: 0;
  width: var(--altcha-checkbox-size);
}
.altcha-checkbox-native-spinner {
  display: none;
  left: 0;
  height: var(--altcha-checkbox-size);
  position: absolute;
  top: 0;
  width: var(--altcha-checkbox-size);
}
.altcha-checkbox-native[data-loading=true] input {
  appearance: none;
  opacity: 0;
  pointer-events: none;
}
.altcha-checkbox-native[data-loading=true] .altcha-checkbox-native-spinner {
  display: block;
}
.altcha-switch {
  align-items: center;
  border-radius: var(--altcha-switch-border-radius);
  background-color: var(--altcha-switch-background-color);
  display: flex;
  height: var(--altcha-switch-height);
  padding: var(--altcha-switch-padding);
  position: relative;
  width: var(--altcha-switch-width);
}
.altcha-switch:focus-within {
  outline: var(--altcha-checkbox-outline);
  outline-offset: var(--altcha-checkbox-outline-offset);
}
.altcha-switch input {
  appearance: none;
  cursor: pointer;
  height: 100%;
  left: 0;
  opacity: 0;
  position: absolute;
  top: 0;
  width: 100%;
}
.altcha-switch-toggle {
  align-items: center;
  background-color: var(--altcha-switch-toggle-color);
  border-radius: var(--altcha-switch-toggle-border-radius);
  cursor: pointer;
  display: flex;
  height: var(--altcha-switch-toggle-size);
  justify-content: center;
  left: var(--altcha-switch-padding);
  position: absolute;
  transition: width 150ms ease-out, left 150ms ease-out;
  width: var(--altcha-switch-toggle-size);
}
.altcha-switch-spinner {
  display: none;
  height: var(--altcha-switch-toggle-size);
  width: var(--altcha-switch-toggle-size);
}
.altcha-switch[data-loading=true] {
  pointer-events: none;
}
.altcha-switch[data-loading=true] .altcha-switch-spinner {
  display: block;
}
.altcha-switch[data-loading=true] .altcha-switch-toggle {
  background-color: transparent;
  left: calc(50% - var(--altcha-switch-toggle-size) / 2);
}
[data-state=verified] .altcha-switch {
  --altcha-switch-background-color: var(--altcha-color-success);
}
[data-state=verified] .altcha-switch-toggle {
  background-color: var(--altcha-color-success-content);
  left: calc(100% - var(--altcha-switch-height) + var(--altcha-switch-padding));
}
[dir=rtl] .altcha-switch-toggle {
  left: calc(100% - var(--altcha-switch-height) + var(--altcha-switch-padding));
}
[dir=rtl][data-state=verified] .altcha-switch-toggle {
  left: var(--altcha-switch-padding);
}
.altcha-floating-arrow {
  border: 6px solid transparent;
  border-bottom-color: var(--altcha-border-color);
  content: "";
  height: 0;
  left: 12px;
  position: absolute;
  top: -12px;
  width: 0;
}
.altcha-overlay-backdrop {
  bottom: 0;
  left: 0;
  position: fixed;
  right: 0;
  top: 0;
  transition: opacity var(--altcha-transition-duration);
  z-index: var(--altcha-z-index);
}
.altcha-overlay-close {
  display: inline-block;
  color: currentColor;
  cursor: pointer;
  font-size: 1rem;
  height: 1rem;
  line-height: 0.85;
  position: absolute;
  right: 0;
  text-align: center;
  text-shadow: 0 0 1px var(--altcha-color-base);
  top: -1.5rem;
  width: 1rem;
  z-index: var(--altcha-z-index);
}
.altcha[data-display=overlay] {
  animation: altcha-overlay-slidein var(--altcha-transition-duration) forwards;
  filter: var(--altcha-shadow);
  left: 50%;
  opacity: 0;
  position: fixed;
  top: 45%;
  transform: translate(-50%, -50%);
  z-index: var(--altcha-z-index);
}
.altcha[data-display=overlay] .altcha-main {
  width: var(--altcha-max-width);
}
.altcha[data-display=floating] {
  display: none;
  filter: var(--altcha-shadow);
  left: var(--altcha-floating-left, -100%);
  position: fixed;
  top: var(--altcha-floating-top, -100%);
  z-index: var(--altcha-z-index);
}
.altcha[data-display=floating] .altcha-main {
  width: var(--altcha-max-width);
}
.altcha[data-display=floating][data-floating-position=top] .altcha-floating-arrow {
  border-bottom-color: transparent;
  border-top-color: var(--altcha-border-color);
  bottom: -12px;
  top: auto;
}
.altcha[data-display=floating][data-visible] {
  display: flex;
}
.altcha[data-display=bar] {
  bottom: -100%;
  filter: var(--altcha-shadow);
  left: 0;
  position: fixed;
  right: 0;
  transition: bottom var(--altcha-transition-duration), top var(--altcha-transition-duration);
  z-index: var(--altcha-z-index);
}
.altcha[data-display=bar] .altcha-main {
  align-items: center;
  border-radius: 0;
  border-width: var(--altcha-border-width) 0 0 0;
  flex-direction: row;
  max-width: 100% !important;
}
.altcha[data-display=bar] .altcha-main > * {
  width: auto;
}
.altcha[data-display=bar][data-placement=top] {
  bottom: auto;
  top: -100%;
}
.altcha[data-display=bar][data-placement=top] .altcha-main {
  border-width: 0 0 var(--altcha-border-width) 0;
}
.altcha[data-display=bar][data-placement=bottom]:not([data-state=unverified]) {
  bottom: 0;
}
.altcha[data-display=bar][data-placement=top]:not([data-state=unverified]) {
  top: 0;
}
.altcha[data-display=invisible] {
  display: none;
}

@keyframes altcha-rotate {
  0% {
    transform: rotate(0deg);
  }
  100% {
    transform: rotate(360deg);
  }
}
@keyframes altcha-bottomsheet-slideup {
  100% {
    bottom: 0;
  }
}
@keyframes altcha-overlay-slidein {
  100% {
    opacity: 1;
    top: 50%;
  }
}`;zs(Ws);$altcha.algorithms.set("SHA-256",()=>new Ua);$altcha.algorithms.set("SHA-384",()=>new Ua);$altcha.algorithms.set("SHA-512",()=>new Ua);$altcha.algorithms.set("PBKDF2/SHA-256",()=>new Na);$altcha.algorithms.set("PBKDF2/SHA-384",()=>new Na);$altcha.algorithms.set("PBKDF2/SHA-512",()=>new Na);var Ys={ariaLinkLabel:"Altcha (الموقع الرسمي)",enterCode:"أدخل الرمز",enterCodeAria:"أدخل الرمز الذي تسمعه. اضغط على المسافة لتشغيل الصوت.",error:"فشل التحقق. حاول مرة أخرى لاحقاً.",expired:"انتهت صلاحية التحقق. حاول مرة أخرى.",footer:'محمي بواسطة <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (الموقع الرسمي)">ALTCHA</a>',getAudioChallenge:"احصل على تحدي صوتي",label:"أنا لست روبوتاً",loading:"جارٍ التحميل...",reload:"إعادة تحميل",verify:"تحقق",verificationRequired:"مطلوب التحقق!",verified:"تم التحقق",verifying:"جارٍ التحقق...",waitAlert:"جارٍ التحقق... يرجى الانتظار.",cancel:"إلغاء",enterCodeFromImage:"للمتابعة، يرجى إدخال الرمز من الصورة أدناه."};globalThis.$altcha.i18n.set("ar",Ys);var Zs={ariaLinkLabel:"Altcha (официален уебсайт)",enterCode:"Въведете код",enterCodeAria:"Въведете кода, който чувате. Натиснете Space за възпроизвеждане на аудио.",error:"Проверката неуспешна. Моля, опитайте по-късно.",expired:"Времето за проверка изтече. Моля, опитайте отново.",footer:'Защитено от <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (официален уебсайт)">ALTCHA</a>',getAudioChallenge:"Аудио проверка",label:"Аз не съм робот",loading:"Зареждане...",reload:"Презареди",verify:"Провери",verificationRequired:"Изисква се проверка!",verified:"Проверено",verifying:"Проверява се...",waitAlert:"Проверката е в процес... моля изчакайте.",cancel:"Отказ",enterCodeFromImage:"За да продължите, моля, въведете кода от изображението по-долу."};globalThis.$altcha.i18n.set("bg",Zs);var Js={ariaLinkLabel:"Altcha (афіцыйны сайт)",enterCode:"Увядзіце код",enterCodeAria:"Увядзіце код, які вы чуеце. Націсніце прабел, каб прайграць аўдыё.",error:"Праверка не прайшла. Паспрабуйце пазней.",expired:"Тэрмін праверкі скончыўся. Паспрабуйце зноў.",footer:'Абаронена <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (афіцыйны сайт)">ALTCHA</a>',getAudioChallenge:"Атрымаць аўдыё выклік",label:"Я не робат",loading:"Загрузка...",reload:"Перазагрузіць",verify:"Праверыць",verificationRequired:"Патрабуецца праверка!",verified:"Праверана",verifying:"Правяраем...",waitAlert:"Праверка... калі ласка, пачакайце.",cancel:"Скасаваць",enterCodeFromImage:"Каб працягнуць, увядзіце код з малюнка ніжэй."};globalThis.$altcha.i18n.set("be",Js);var Xs={ariaLinkLabel:"Altcha (službena web stranica)",enterCode:"Unesite kod",enterCodeAria:"Unesite kod koji čujete. Pritisnite Space da biste pustili zvuk.",error:"Verifikacija nije uspjela. Pokušajte ponovo kasnije.",expired:"Verifikacija je istekla. Pokušajte ponovo.",footer:'Zaštićeno od strane <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (službena web stranica)">ALTCHA</a>',getAudioChallenge:"Dohvatite audio izazov",label:"Nisam robot",loading:"Učitavanje...",reload:"Ponovno učitaj",verify:"Verifikuj",verificationRequired:"Verifikacija je obavezna!",verified:"Verifikovano",verifying:"Verifikacija u toku...",waitAlert:"Verifikacija u toku... molimo vas da sačekate.",cancel:"Odustani",enterCodeFromImage:"Za nastavak, molimo unesite kod sa slike ispod."};globalThis.$altcha.i18n.set("bs",Xs);var Qs={ariaLinkLabel:"Altcha (lloc web oficial)",enterCode:"Introdueix el codi",enterCodeAria:"Introdueix el codi que escoltes. Prem Espai per reproduir l’àudio.",error:"Verificació fallida. Torna-ho a provar més tard.",expired:"Verificació expirada. Torna-ho a provar.",footer:'Protegit per <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (lloc web oficial)">ALTCHA</a>',getAudioChallenge:"Obtenir un desafiament d’àudio",label:"No sóc un robot",loading:"Carregant...",reload:"Torna a carregar",verify:"Verificar",verificationRequired:"Es requereix verificació!",verified:"Verificat",verifying:"Verificant...",waitAlert:"Verificant... si us plau, espera.",cancel:"Cancel·la",enterCodeFromImage:"Per continuar, si us plau, introdueix el codi de la imatge següent."};globalThis.$altcha.i18n.set("ca",Qs);var ec={ariaLinkLabel:"Altcha (oficiální web)",enterCode:"Zadejte kód",enterCodeAria:"Zadejte kód, který slyšíte. Stisknutím mezerníku přehrajete zvuk.",error:"Ověření selhalo. Zkuste to prosím později.",expired:"Ověření vypršelo. Zkuste to prosím znovu.",footer:'Chráněno pomocí <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (oficiální web)">ALTCHA</a>',getAudioChallenge:"Získat audio výzvu",label:"Nejsem robot",loading:"Načítání...",reload:"Znovu načíst",verify:"Ověřit",verificationRequired:"Vyžaduje se ověření!",verified:"Ověřeno",verifying:"Ověřování...",waitAlert:"Probíhá ověření... prosím počkejte.",cancel:"Zrušit",enterCodeFromImage:"Pro pokračování zadejte kód z obrázku níže."};globalThis.$altcha.i18n.set("cs",ec);var tc={ariaLinkLabel:"Altcha (officiel hjemmeside)",enterCode:"Indtast kode",enterCodeAria:"Indtast den kode, du hører. Tryk på mellemrumstasten for at afspille lyd.",error:"Verificering mislykkedes. Prøv venligst igen senere.",expired:"Verificering udløbet. Prøv venligst igen.",footer:'Beskyttet af <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (officiel hjemmeside)">ALTCHA</a>',getAudioChallenge:"Hent lydudfordring",label:"Jeg er ikke en robot",loading:"Indlæser...",reload:"Genindlæs",verify:"Verificer",verificationRequired:"Verificering kræves!",verified:"Verificeret",verifying:"Verificerer...",waitAlert:"Verificerer... vent venligst.",cancel:"Annuller",enterCodeFromImage:"For at fortsætte, bedes du indtaste koden fra billedet herunder."};globalThis.$altcha.i18n.set("da",tc);var rc={ariaLinkLabel:"Altcha (offizielle Website)",enterCode:"Code eingeben",enterCodeAria:"Geben Sie den Code ein, den Sie hören. Drücken Sie die Leertaste, um die Audio abzuspielen.",error:"Überprüfung fehlgeschlagen. Bitte versuchen Sie es später erneut.",expired:"Überprüfung abgelaufen. Bitte versuchen Sie es erneut.",footer:'Geschützt durch <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (offizielle Website)">ALTCHA</a>',getAudioChallenge:"Audio-Herausforderung anfordern",label:"Ich bin kein Roboter",loading:"Lade...",reload:"Neu laden",verify:"Überprüfen",verificationRequired:"Überprüfung erforderlich!",verified:"Überprüft",verifying:"Wird überprüft...",waitAlert:"Überprüfung läuft... bitte warten.",cancel:"Abbrechen",enterCodeFromImage:"Um fortzufahren, geben Sie bitte den Code aus dem Bild unten ein."};globalThis.$altcha.i18n.set("de",rc);var ac={ariaLinkLabel:"Altcha (επίσημος ιστότοπος)",enterCode:"Εισαγάγετε κωδικό",enterCodeAria:"Εισαγάγετε τον κωδικό που ακούτε. Πατήστε Space για να παίξετε τον ήχο.",error:"Η επαλήθευση απέτυχε. Δοκιμάστε ξανά αργότερα.",expired:"Η επαλήθευση έληξε. Δοκιμάστε ξανά.",footer:'Προστατεύεται από το <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (επίσημος ιστότοπος)">ALTCHA</a>',getAudioChallenge:"Λήψη ηχητικής δοκιμασίας",label:"Δεν είμαι ρομπότ",loading:"Φόρτωση...",reload:"Επαναφόρτωση",verify:"Επαλήθευση",verificationRequired:"Απαιτείται έλεγχος!",verified:"Επαληθεύτηκε",verifying:"Γίνεται επαλήθευση...",waitAlert:"Γίνεται επαλήθευση... παρακαλώ περιμένετε.",cancel:"Ακύρωση",enterCodeFromImage:"Για να συνεχίσετε, εισάγετε τον κωδικό από την παρακάτω εικόνα."};globalThis.$altcha.i18n.set("el",ac);var ic={ariaLinkLabel:"Altcha (sitio web oficial)",enterCode:"Introduce el código",enterCodeAria:"Introduce el código que escuchas. Pulsa Espacio para reproducir el audio.",error:"Falló la verificación. Por favor intente nuevamente más tarde.",expired:"Verificación expirada. Por favor intente nuevamente.",footer:'Protegido por <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (sitio web oficial)">ALTCHA</a>',getAudioChallenge:"Obtener un desafío de audio",label:"No soy un robot",loading:"Cargando...",reload:"Recargar",verify:"Verificar",verificationRequired:"¡Verificación requerida!",verified:"Verificado",verifying:"Verificando...",waitAlert:"Verificando... por favor espere.",cancel:"Cancelar",enterCodeFromImage:"Para continuar, introduzca el código de la imagen de abajo."};globalThis.$altcha.i18n.set("es-es",ic);var nc={ariaLinkLabel:"Altcha (sitio web oficial)",enterCode:"Ingresa el código",enterCodeAria:"Ingresa el código que escuchas. Presiona Espacio para reproducir el audio.",error:"Falló la verificación. Por favor vuelve a intentarlo más tarde.",expired:"La verificación expiró. Por favor inténtalo de nuevo.",footer:'Protegido por <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (sitio web oficial)">ALTCHA</a>',getAudioChallenge:"Obtener un reto de audio",label:"No soy un robot",loading:"Cargando...",reload:"Volver a cargar",verify:"Verificar",verificationRequired:"¡Verificación requerida!",verified:"Verificado",verifying:"Verificando...",waitAlert:"Verificando... por favor espera.",cancel:"Cancelar",enterCodeFromImage:"Para continuar, ingresa el código de la imagen a continuación."};globalThis.$altcha.i18n.set("es-419",nc);var oc={ariaLinkLabel:"Altcha (ametlik veebisait)",enterCode:"Sisesta kood",enterCodeAria:"Sisestage kuuldu kood. Vajutage tühikut, et esitada heli.",error:"Kinnitamine ebaõnnestus. Proovi hiljem uuesti.",expired:"Kinnitamine aegus. Proovi uuesti.",footer:'Kaitstud <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (ametlik veebisait)">ALTCHA</a> poolt',getAudioChallenge:"Hangi heliülesanne",label:"Ma ei ole robot",loading:"Laadimine...",reload:"Laadi uuesti",verify:"Kinnita",verificationRequired:"Kontroll on vajalik!",verified:"Kinnitatud",verifying:"Kinnitamine...",waitAlert:"Kinnitamine... palun oota.",cancel:"Tühista",enterCodeFromImage:"Jätkamiseks sisestage alloleval pildil olev kood."};globalThis.$altcha.i18n.set("et",oc);var lc={ariaLinkLabel:"Altcha (webgune ofiziala)",enterCode:"Sartu kodea",enterCodeAria:"Sartu entzun duzun kodea. Sakatu Espazioa audioa erreproduzitzeko.",error:"Egiaztatzeak huts egin du. Saiatu berriro geroago.",expired:"Egiaztatzea iraungi da. Saiatu berriro.",footer:'<a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (webgune ofiziala)">ALTCHA</a>k babestuta',getAudioChallenge:"Jaso audio-erronka bat",label:"Ez naiz robot bat",loading:"Kargatzen...",reload:"Birkargatu",verify:"Egiaztatu",verificationRequired:"Egiaztatzea beharrezkoa da!",verified:"Egiaztatuta",verifying:"Egiaztatzen...",waitAlert:"Egiaztatzen... itxaron mesedez.",cancel:"Utzi",enterCodeFromImage:"Jarraitzeko, idatzi beheko irudiko kodea."};globalThis.$altcha.i18n.set("eu",lc);var sc={ariaLinkLabel:"Altcha (وب‌سایت رسمی)",enterCode:"کد را وارد کنید",enterCodeAria:"کدی که می‌شنوید را وارد کنید. برای پخش صدا Space را فشار دهید.",error:"احراز هویت ناموفق بود. بعداً دوباره تلاش کنید.",expired:"احراز هویت منقضی شد. دوباره تلاش کنید.",footer:'محافظت شده توسط <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (وب‌سایت رسمی)">ALTCHA</a>',getAudioChallenge:"دریافت چالش صوتی",label:"من ربات نیستم",loading:"در حال بارگذاری...",reload:"بارگذاری مجدد",verify:"تایید",verificationRequired:"احراز هویت لازم است!",verified:"تایید شد",verifying:"در حال تایید...",waitAlert:"در حال تایید... لطفا منتظر بمانید.",cancel:"لغو کردن",enterCodeFromImage:"برای ادامه، لطفاً کد تصویر زیر را وارد کنید."};globalThis.$altcha.i18n.set("fa",sc);var cc={ariaLinkLabel:"Altcha (offiziell Websäit)",enterCode:"Code aginn",enterCodeAria:"Gitt de Code an deen dir héiert. Dréckt op d'Weltraumtast fir Audio ofzespillen.",error:"Verifikatioun ass feelgeschloen. Probéiert méi spéit nach emol.",expired:"Verifikatioun ofgelaf. Probéiert nach emol.",footer:'Geschützt vun <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (offiziell Websäit)">ALTCHA</a>',getAudioChallenge:"Kritt eng Audio-Herausfuerderung",label:"Ech sinn keen Robot",loading:"Lueden...",reload:"Nei lueden",verify:"Verifizéieren",verificationRequired:"Verifikatioun néideg!",verified:"Verifizéiert",verifying:"Verifizéieren...",waitAlert:"Verifizéieren... waart wgl.",cancel:"Ofbriechen",enterCodeFromImage:"Fir virun ze fueren, gitt wgl. de Code aus dem Bild hei drënner an."};globalThis.$altcha.i18n.set("lb",cc);var uc={ariaLinkLabel:"Altcha (virallinen verkkosivusto)",enterCode:"Syötä koodi",enterCodeAria:"Kirjoita kuulemasi koodi. Paina välilyöntiä toistaaksesi äänen.",error:"Varmennus epäonnistui. Yritä myöhemmin uudelleen.",expired:"Varmennus vanhentui. Yritä uudelleen.",footer:'Suojattu <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (virallinen verkkosivusto)">ALTCHA</a>:lla',getAudioChallenge:"Hae äänitehtävä",label:"En ole robotti",loading:"Ladataan...",reload:"Lataa uudelleen",verify:"Vahvista",verificationRequired:"Vahvistus vaaditaan!",verified:"Vahvistettu",verifying:"Vahvistetaan...",waitAlert:"Vahvistetaan... odota hetki.",cancel:"Peruuta",enterCodeFromImage:"Jatkaaksesi, syötä alla olevan kuvan koodi."};globalThis.$altcha.i18n.set("fi",uc);var fc={ariaLinkLabel:"Altcha (site officiel)",enterCode:"Entrez le code",enterCodeAria:"Entrez le code que vous entendez. Appuyez sur la barre d'espace pour écouter l'audio.",error:"Échec de la vérification. Réessayez plus tard.",expired:"La vérification a expiré. Réessayez.",footer:'Protégé par <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (site officiel)">ALTCHA</a>',getAudioChallenge:"Obtenir un défi audio",label:"Je ne suis pas un robot",loading:"Chargement...",reload:"Recharger",verify:"Vérifier",verificationRequired:"Vérification requise !",verified:"Vérifié",verifying:"Vérification en cours...",waitAlert:"Vérification en cours... veuillez patienter.",cancel:"Annuler",enterCodeFromImage:"Pour continuer, veuillez entrer le code de l'image ci-dessous."};globalThis.$altcha.i18n.set("fr-ca",fc);var dc={ariaLinkLabel:"Altcha (site officiel)",enterCode:"Entrez le code",enterCodeAria:"Entrez le code que vous entendez. Appuyez sur Espace pour écouter l'audio.",error:"Échec de la vérification. Essayez à nouveau plus tard.",expired:"La vérification a expiré. Essayez à nouveau.",footer:'Protégé par <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (site officiel)">ALTCHA</a>',getAudioChallenge:"Obtenir un défi audio",label:"Je ne suis pas un robot",loading:"Chargement...",reload:"Recharger",verify:"Vérifier",verificationRequired:"Vérification requise !",verified:"Vérifié",verifying:"Vérification en cours...",waitAlert:"Vérification en cours... veuillez patienter.",cancel:"Annuler",enterCodeFromImage:"Pour continuer, veuillez entrer le code de l'image ci-dessous."};globalThis.$altcha.i18n.set("fr-fr",dc);var hc={ariaLinkLabel:"Altcha (láithreán gréasáin oifigiúil)",enterCode:"Iontráil cód",enterCodeAria:"Cuir isteach an cód a chloiseann tú. Brúigh Spás chun an fuaime a sheinm.",error:"Theip ar an bhfíorú. Bain triail eile as níos déanaí.",expired:"Tá an fíorú as feidhm. Bain triail eile as.",footer:'Cosanta ag <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (láithreán gréasáin oifigiúil)">ALTCHA</a>',getAudioChallenge:"Faigh dúshlán fuaime",label:"Níl mé i mo róbat",loading:"Á luchtú...",reload:"Athluchtaigh",verify:"Fíoraigh",verificationRequired:"Fíorú riachtanach!",verified:"Fíoraithe",verifying:"Fíorú ar siúl...",waitAlert:"Fíorú ar siúl... fan go fóill.",cancel:"Cealaigh",enterCodeFromImage:"Chun dul ar aghaidh, le do thoil cuir isteach an cód ón íomhá thíos."};globalThis.$altcha.i18n.set("ga",hc);var vc={ariaLinkLabel:"Altcha (službena web stranica)",enterCode:"Unesite kod",enterCodeAria:"Unesite kod koji čujete. Pritisnite razmaknicu za reprodukciju zvuka.",error:"Provjera nije uspjela. Molimo pokušajte kasnije.",expired:"Provjera je istekla. Molimo pokušajte ponovo.",footer:'Zaštićeno od strane <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (službena web stranica)">ALTCHA</a>',getAudioChallenge:"Audio provjera",label:"Ja nisam robot",loading:"Učitavanje...",reload:"Ponovno učitaj",verify:"Provjeri",verificationRequired:"Potrebna je provjera!",verified:"Provjereno",verifying:"Provjeravanje...",waitAlert:"Provjera je u tijeku... molimo pričekajte.",cancel:"Odustani",enterCodeFromImage:"Za nastavak molimo unesite kod sa slike ispod."};globalThis.$altcha.i18n.set("hr",vc);var gc={ariaLinkLabel:"Altcha (hivatalos weboldal)",enterCode:"Írja be a kódot",enterCodeAria:"Írja be a hallott kódot. Nyomja meg a Szóköz billentyűt a hang lejátszásához.",error:"A hitelesítés nem sikerült. Próbáld meg később újra.",expired:"A hitelesítés lejárt. Próbáld újra.",footer:'Védve a következő által: <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (hivatalos weboldal)">ALTCHA</a>',getAudioChallenge:"Hangalapú kihívás kérése",label:"Nem vagyok robot",loading:"Betöltés...",reload:"Újratöltés",verify:"Ellenőrzés",verificationRequired:"Ellenőrzés szükséges!",verified:"Ellenőrizve",verifying:"Ellenőrzés folyamatban...",waitAlert:"Ellenőrzés folyamatban... kérlek várj.",cancel:"Mégse",enterCodeFromImage:"A folytatáshoz, kérjük, adja meg az alábbi kép kódját."};globalThis.$altcha.i18n.set("hu",gc);var pc={ariaLinkLabel:"Altcha (opinber vefsíða)",enterCode:"Sláðu inn kóða",enterCodeAria:"Sláðu inn kóðann sem þú heyrir. Ýttu á Space til að spila hljóðið.",error:"Staðfesting mistókst. Reyndu aftur síðar.",expired:"Staðfesting er útrunnin. Reyndu aftur.",footer:'Verndað af <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (opinber vefsíða)">ALTCHA</a>',getAudioChallenge:"Fá hljóðáskorun",label:"Ég er ekki robot",loading:"Hleður...",reload:"Hleð aftur",verify:"Staðfesta",verificationRequired:"Staðfesting er nauðsynleg!",verified:"Staðfest",verifying:"Að staðfesta...",waitAlert:"Að staðfesta... vinsamlegast bíða.",cancel:"Hætta við",enterCodeFromImage:"Til að halda áfram, vinsamlegast sláðu inn kóðann af myndinni hér að neðan."};globalThis.$altcha.i18n.set("is",pc);var bc={ariaLinkLabel:"Altcha (sito ufficiale)",enterCode:"Inserisci il codice",enterCodeAria:"Inserisci il codice che senti. Premi Spazio per riprodurre l'audio.",error:"Verifica fallita. Riprova più tardi.",expired:"Verifica scaduta. Riprova.",footer:'Protetto da <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (sito ufficiale)">ALTCHA</a>',getAudioChallenge:"Ottieni una sfida audio",label:"Non sono un robot",loading:"Caricamento...",reload:"Ricarica",verify:"Verifica",verificationRequired:"Verifica richiesta!",verified:"Verificato",verifying:"Verifica in corso...",waitAlert:"Verifica in corso... attendere.",cancel:"Annulla",enterCodeFromImage:"Per procedere, inserisci il codice dall'immagine sottostante."};globalThis.$altcha.i18n.set("it",bc);var mc={ariaLinkLabel:"Altcha (oficiali svetainė)",enterCode:"Įveskite kodą",enterCodeAria:"Įveskite girdimą kodą. Paspauskite tarpo klavišą, kad grotumėte garso įrašą.",error:"Patvirtinimas nepavyko. Bandykite vėliau.",expired:"Patvirtinimo laikas baigėsi. Bandykite dar kartą.",footer:'Apsaugota <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (oficiali svetainė)">ALTCHA</a>',getAudioChallenge:"Gauti garso užduotį",label:"Aš nesu robotas",loading:"Įkeliama...",reload:"Įkelti iš naujo",verify:"Patvirtinti",verificationRequired:"Reikalingas patvirtinimas!",verified:"Patvirtinta",verifying:"Tikrinama...",waitAlert:"Tikrinama... prašome palaukti.",cancel:"Atšaukti",enterCodeFromImage:"Norėdami tęsti, įveskite kodą iš paveikslėlio žemiau."};globalThis.$altcha.i18n.set("lt",mc);var yc={ariaLinkLabel:"Altcha (oficiālā tīmekļa vietne)",enterCode:"Ievadiet kodu",enterCodeAria:"Ievadiet dzirdamo kodu. Nospiediet atstarpes taustiņu, lai atskaņotu audio.",error:"Verifikācija neizdevās. Mēģiniet vēlāk vēlreiz.",expired:"Verifikācijas laiks ir beidzies. Mēģiniet vēlreiz.",footer:'Aizsargāts ar <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (oficiālā tīmekļa vietne)">ALTCHA</a>',getAudioChallenge:"Saņemt audio izaicinājumu",label:"Es neesmu robots",loading:"Notiek ielāde...",reload:"Pārlādēt",verify:"Verificēt",verificationRequired:"Nepieciešama verifikācija!",verified:"Verificēts",verifying:"Notiek verifikācija...",waitAlert:"Notiek verifikācija... lūdzu, uzgaidiet.",cancel:"Atcelt",enterCodeFromImage:"Lai turpinātu, lūdzu, ievadiet zemāk redzamo attēlu kodu."};globalThis.$altcha.i18n.set("lv",yc);var kc={ariaLinkLabel:"Altcha (sit uffiċjali)",enterCode:"Idħol il-kodiċi",enterCodeAria:"Idħol il-kodiċi li tisma'. Agħfas Spazju biex tindaqq l-awdjo.",error:"Il-verifika falliet. Erġa’ pprova aktar tard.",expired:"Il-verifika skadiet. Erġa’ pprova.",footer:'Protett minn <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (sit uffiċjali)">ALTCHA</a>',getAudioChallenge:"Ikseb sfida bl-awdjo",label:"M’inix robot",loading:"Qed jitgħabba...",reload:"Ittella’ mill-ġdid",verify:"Ivverifika",verificationRequired:"Verifika meħtieġa!",verified:"Ivverifikat",verifying:"Verifika għaddejja...",waitAlert:"Verifika għaddejja... stenna ftit.",cancel:"Ikkanċella",enterCodeFromImage:"Biex tipproċedi, jekk jogħġbok daħħal il-kodiċi mill-immaġni hawn taħt."};globalThis.$altcha.i18n.set("mt",kc);var wc={ariaLinkLabel:"Altcha (offisiell nettside)",enterCode:"Skriv inn kode",enterCodeAria:"Skriv inn koden du hører. Trykk på Space for å spille av lyden.",error:"Verifisering mislyktes. Prøv igjen senere.",expired:"Verifiseringen utløp. Prøv igjen.",footer:'Beskyttet av <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (offisiell nettside)">ALTCHA</a>',getAudioChallenge:"Få en lydutfordring",label:"Jeg er ikke en robot",loading:"Laster...",reload:"Last på nytt",verify:"Verifiser",verificationRequired:"Verifisering kreves!",verified:"Verifisert",verifying:"Verifiserer...",waitAlert:"Verifiserer... vennligst vent.",cancel:"Avbryt",enterCodeFromImage:"For å fortsette, vennligst skriv inn koden fra bildet nedenfor."};globalThis.$altcha.i18n.set("nb",wc);var Ac={ariaLinkLabel:"Altcha (officiële website)",enterCode:"Voer code in",enterCodeAria:"Voer de code in die je hoort. Druk op Spatie om de audio af te spelen.",error:"Verificatie mislukt. Probeer het later opnieuw.",expired:"Verificatie verlopen. Probeer het opnieuw.",footer:'Beschermd door <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (officiële website)">ALTCHA</a>',getAudioChallenge:"Audio-uitdaging ontvangen",label:"Ik ben geen robot",loading:"Laden...",reload:"Herladen",verify:"Verifiëren",verificationRequired:"Verificatie vereist!",verified:"Geverifieerd",verifying:"Bezig met verifiëren...",waitAlert:"Bezig met verifiëren... even geduld a.u.b.",cancel:"Annuleren",enterCodeFromImage:"Om door te gaan, voert u de code uit de onderstaande afbeelding in."};globalThis.$altcha.i18n.set("nl",Ac);var _c={ariaLinkLabel:"Altcha (oficjalna strona internetowa)",enterCode:"Wprowadź kod",enterCodeAria:"Wpisz kod, który słyszysz. Naciśnij Spację, aby odtworzyć dźwięk.",error:"Weryfikacja nie powiodła się. Spróbuj ponownie później.",expired:"Weryfikacja wygasła. Spróbuj ponownie.",footer:'Chronione przez <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (oficjalna strona internetowa)">ALTCHA</a>',getAudioChallenge:"Pobierz zadanie dźwiękowe",label:"Nie jestem robotem",loading:"Ładowanie...",reload:"Odśwież",verify:"Zweryfikuj",verificationRequired:"Wymagana weryfikacja!",verified:"Zweryfikowano",verifying:"Weryfikacja...",waitAlert:"Trwa weryfikacja... proszę czekać.",cancel:"Anuluj",enterCodeFromImage:"Aby kontynuować, wprowadź kod z poniższego obrazka."};globalThis.$altcha.i18n.set("pl",_c);var Cc={ariaLinkLabel:"Altcha (site oficial)",enterCode:"Introduza o código",enterCodeAria:"Introduza o código que ouve. Prima Espaço para reproduzir o áudio.",error:"A verificação falhou. Por favor, tente novamente mais tarde.",expired:"Verificação expirada. Por favor, tente novamente.",footer:'Protegido por <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (site oficial)">ALTCHA</a>',getAudioChallenge:"Obter desafio de áudio",label:"Não sou um robô",loading:"A carregar...",reload:"Recarregar",verify:"Verificar",verificationRequired:"Verificação necessária!",verified:"Verificado",verifying:"A verificar...",waitAlert:"A verificar... por favor aguarde.",cancel:"Cancelar",enterCodeFromImage:"Para prosseguir, introduza o código da imagem abaixo."};globalThis.$altcha.i18n.set("pt-pt",Cc);var xc={ariaLinkLabel:"Altcha (site oficial)",enterCode:"Digite o código",enterCodeAria:"Digite o código que você ouve. Pressione Espaço para reproduzir o áudio.",error:"Falha na verificação. Por favor, tente novamente mais tarde.",expired:"Verificação expirada. Por favor, tente novamente.",footer:'Protegido por <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (site oficial)">ALTCHA</a>',getAudioChallenge:"Obter desafio de áudio",label:"Eu não sou um robô",loading:"Carregando...",reload:"Recarregar",verify:"Verificar",verificationRequired:"Verificação necessária!",verified:"Verificado",verifying:"Verificando...",waitAlert:"Verificando... por favor aguarde.",cancel:"Cancelar",enterCodeFromImage:"Para prosseguir, digite o código da imagem abaixo."};globalThis.$altcha.i18n.set("pt-br",xc);var Sc={ariaLinkLabel:"Altcha (site oficial)",enterCode:"Introduceți codul",enterCodeAria:"Introduceți codul pe care îl auziți. Apăsați Spațiu pentru a reda audio.",error:"Verificarea a eșuat. Încearcă din nou mai târziu.",expired:"Verificarea a expirat. Încearcă din nou.",footer:'Protejat de <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (site oficial)">ALTCHA</a>',getAudioChallenge:"Obține o provocare audio",label:"Nu sunt un robot",loading:"Se încarcă...",reload:"Reîncarcă",verify:"Verifică",verificationRequired:"Verificare necesară!",verified:"Verificat",verifying:"Se verifică...",waitAlert:"Se verifică... te rugăm să aștepți.",cancel:"Anulare",enterCodeFromImage:"Pentru a continua, vă rugăm să introduceți codul din imaginea de mai jos."};globalThis.$altcha.i18n.set("ro",Sc);var Tc={ariaLinkLabel:"Altcha (официальный сайт)",enterCode:"Введите код",enterCodeAria:"Введите код, который слышите. Нажмите пробел для воспроизведения аудио.",error:"Ошибка верификации. Попробуйте позже.",expired:"Срок действия верификации истек. Попробуйте снова.",footer:'Защищено <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (официальный сайт)">ALTCHA</a>',getAudioChallenge:"Получить аудио задачу",label:"Я не робот",loading:"Загрузка...",reload:"Перезагрузить",verify:"Проверить",verificationRequired:"Требуется проверка!",verified:"Проверено",verifying:"Идет проверка...",waitAlert:"Идет проверка... Пожалуйста, подождите.",cancel:"Отмена",enterCodeFromImage:"Чтобы продолжить, пожалуйста, введите код с изображения ниже."};globalThis.$altcha.i18n.set("ru",Tc);var Ec={ariaLinkLabel:"Altcha (oficiálna webová stránka)",enterCode:"Zadajte kód",enterCodeAria:"Zadajte kód, ktorý počujete. Stlačením medzerníka prehráte zvuk.",error:"Verifikácia zlyhala. Skúste to znova neskôr.",expired:"Verifikácia vypršala. Skúste to znova.",footer:'Chránené <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (oficiálna webová stránka)">ALTCHA</a>',getAudioChallenge:"Získať audio výzvu",label:"Nie som robot",loading:"Načítava sa...",reload:"Obnoviť",verify:"Verifikovať",verificationRequired:"Vyžaduje sa overenie!",verified:"Verifikované",verifying:"Prebieha verifikácia...",waitAlert:"Prebieha verifikácia... prosím čakajte.",cancel:"Zrušiť",enterCodeFromImage:"Na pokračovanie, prosím, zadajte kód z obrázka nižšie."};globalThis.$altcha.i18n.set("sk",Ec);var Lc={ariaLinkLabel:"Altcha (uradna spletna stran)",enterCode:"Vnesite kodo",enterCodeAria:"Vnesite kodo, ki jo slišite. Pritisnite preslednico za predvajanje zvoka.",error:"Preverjanje ni uspelo. Poskusite znova kasneje.",expired:"Preverjanje je poteklo. Poskusite znova.",footer:'Zaščiteno z <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (uradna spletna stran)">ALTCHA</a>',getAudioChallenge:"Pridobite zvočni izziv",label:"Nisem robot",loading:"Nalagam...",reload:"Ponovno naloži",verify:"Preveri",verificationRequired:"Potrebna je preveritev!",verified:"Preverjeno",verifying:"Preverjanje...",waitAlert:"Preverjanje... prosim počakajte.",cancel:"Preklic",enterCodeFromImage:"Za nadaljevanje, prosimo, vnesite kodo s slike spodaj."};globalThis.$altcha.i18n.set("sl",Lc);var $c={ariaLinkLabel:"Altcha (faqja zyrtare)",enterCode:"Fut kodin",enterCodeAria:"Fut kodin që dëgjon. Shtypni Hapësirë për të luajtur audio.",error:"Verifikimi dështoi. Provoni përsëri më vonë.",expired:"Verifikimi ka skaduar. Provoni përsëri.",footer:'I mbrojtur nga <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (faqja zyrtare)">ALTCHA</a>',getAudioChallenge:"Merr një sfidë audio",label:"Unë nuk jam një robot",loading:"Duke u ngarkuar...",reload:"Ringarko",verify:"Verifiko",verificationRequired:"Kërkohet verifikimi!",verified:"I verifikuar",verifying:"Duke verifikuar...",waitAlert:"Duke verifikuar... ju lutem prisni.",cancel:"Anuloje",enterCodeFromImage:"Për të vazhduar, ju lutemi fusni kodin nga imazhi më poshtë."};globalThis.$altcha.i18n.set("sq",$c);var Ic={ariaLinkLabel:"Altcha (zvanična web stranica)",enterCode:"Unesite kod",enterCodeAria:"Unesite kod koji čujete. Pritisnite Space da biste pustili zvuk.",error:"Verifikacija nije uspela. Pokušajte ponovo kasnije.",expired:"Verifikacija je istekla. Pokušajte ponovo.",footer:'Zaštićeno od strane <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (zvanična web stranica)">ALTCHA</a>',getAudioChallenge:"Dohvatite audio izazov",label:"Nisam robot",loading:"Učitavanje...",reload:"Ponovo učitaj",verify:"Verifikuj",verificationRequired:"Verifikacija je obavezna!",verified:"Verifikovano",verifying:"Verifikacija u toku...",waitAlert:"Verifikacija u toku... molimo vas da sačekate.",cancel:"Откажи",enterCodeFromImage:"Да бисте наставили, унесите код са слике испод."};globalThis.$altcha.i18n.set("sr",Ic);var Rc={ariaLinkLabel:"Altcha (officiell webbplats)",enterCode:"Ange kod",enterCodeAria:"Ange koden du hör. Tryck på mellanslag för att spela upp ljudet.",error:"Verifiering misslyckades. Försök igen senare.",expired:"Verifieringen har gått ut. Försök igen.",footer:'Skyddad av <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (officiell webbplats)">ALTCHA</a>',getAudioChallenge:"Få ljudutmaning",label:"Jag är inte en robot",loading:"Laddar...",reload:"Ladda om",verify:"Verifiera",verificationRequired:"Verifiering krävs!",verified:"Verifierad",verifying:"Verifierar...",waitAlert:"Verifierar... vänligen vänta.",cancel:"Avbryt",enterCodeFromImage:"För att fortsätta, ange koden från bilden nedan."};globalThis.$altcha.i18n.set("sv",Rc);var jc={ariaLinkLabel:"Altcha (resmi web sitesi)",enterCode:"Kodu girin",enterCodeAria:"Duyduğunuz kodu girin. Ses dosyasını oynatmak için Boşluk tuşuna basın.",error:"Doğrulama başarısız oldu. Lütfen daha sonra tekrar deneyin.",expired:"Doğrulama süresi doldu. Lütfen tekrar deneyin.",footer:'ALTCHA tarafından korunuyor <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (resmi web sitesi)">ALTCHA</a>',getAudioChallenge:"Sesli doğrulama al",label:"Ben robot değilim",loading:"Yükleniyor...",reload:"Yeniden yükle",verify:"Doğrula",verificationRequired:"Doğrulama gerekli!",verified:"Doğrulandı",verifying:"Doğrulama yapılıyor...",waitAlert:"Doğrulama yapılıyor... lütfen bekleyin.",cancel:"İptal",enterCodeFromImage:"Devam etmek için lütfen aşağıdaki resimdeki kodu girin."};globalThis.$altcha.i18n.set("tr",jc);var Pc={ariaLinkLabel:"Altcha (офіційний сайт)",enterCode:"Введіть код",enterCodeAria:"Введіть код, який ви чуєте. Натисніть пробіл, щоб відтворити аудіо.",error:"Перевірка не вдалася. Спробуйте пізніше.",expired:"Перевірка прострочена. Спробуйте знову.",footer:'Захищено <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (офіційний сайт)">ALTCHA</a>',getAudioChallenge:"Отримати аудіо-челлендж",label:"Я не робот",loading:"Завантаження...",reload:"Перезавантажити",verify:"Перевірити",verificationRequired:"Потрібна перевірка!",verified:"Перевірено",verifying:"Перевіряється...",waitAlert:"Перевірка... будь ласка, зачекайте.",cancel:"Скасувати",enterCodeFromImage:"Щоб продовжити, введіть код із зображення нижче."};globalThis.$altcha.i18n.set("uk",Pc);var Vc={ariaLinkLabel:"Altcha (amptelike webwerf)",enterCode:"Voer kode in",enterCodeAria:"Voer die kode in wat jy hoor. Druk Spasie om die klank af te speel.",error:"Verifikasie het misluk. Probeer later weer.",expired:"Verifikasie het verval. Probeer weer.",footer:'Beskerm deur <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (amptelike webwerf)">ALTCHA</a>',getAudioChallenge:"Kry 'n klankuitdaging",label:"Ek is nie 'n robot nie",loading:"Laai...",reload:"Laai weer",verify:"Verifieer",verificationRequired:"Verifikasie is vereis!",verified:"Geverifieer",verifying:"Verifieer...",waitAlert:"Verifieer... wag asseblief.",cancel:"Kanselleer",enterCodeFromImage:"Om voort te gaan, voer asseblief die kode vanaf die onderstaande prentjie in."};globalThis.$altcha.i18n.set("af",Vc);var zc={ariaLinkLabel:"Altcha (ዋናው ድህረ ገጽ)",enterCode:"ኮድ አስገባ",enterCodeAria:"የሚሰማዎትን ኮድ ያስገቡ። ድምጽ ለመጫወት Space ን ይጫኑ።",error:"ማረጋገጫ አልተሳካም። በኋላ ላይ እንደገና ይሞክሩ።",expired:"ማረጋገጫው ጊዜው አልፏል። እንደገና ይሞክሩ።",footer:'በ <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (ዋናው ድህረ ገጽ)">ALTCHA</a> የተጠበቀ',getAudioChallenge:"የድምጽ ፈተና ያግኙ",label:"እኔ ሮቦት አይደለሁም",loading:"በመጫን ላይ...",reload:"እንደገና ጫን",verify:"አረጋግጥ",verificationRequired:"ማረጋገጫ ያስፈልጋል!",verified:"ተረጋግጧል",verifying:"በማረጋገጥ ላይ...",waitAlert:"በማረጋገጥ ላይ... እባክዎ ይጠብቁ።",cancel:"ይቅር",enterCodeFromImage:"ለመቀጠል፣ እባክዎን ከታች ካለው ምስል ኮዱን ያስገቡ።"};globalThis.$altcha.i18n.set("am",zc);var Oc={ariaLinkLabel:"Altcha (tovuti rasmi)",enterCode:"Weka nambari",enterCodeAria:"Weka nambari unayosikia. Bonyeza Space kucheza sauti.",error:"Uthibitishaji umeshindwa. Jaribu tena baadaye.",expired:"Uthibitishaji umeisha. Jaribu tena.",footer:'Imealindwa na <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (tovuti rasmi)">ALTCHA</a>',getAudioChallenge:"Pata changamoto ya sauti",label:"Mimi sio roboti",loading:"Inapakia...",reload:"Pakia tena",verify:"Thibitisha",verificationRequired:"Uthibitishaji unahitajika!",verified:"Imethibitishwa",verifying:"Inathibitisha...",waitAlert:"Inathibitisha... tafadhali subiri.",cancel:"Ghairi",enterCodeFromImage:"Ili kuendelea, tafadhali weka nambari kutoka kwa picha hapa chini."};globalThis.$altcha.i18n.set("sw",Oc);var Fc={ariaLinkLabel:"Altcha (oju opo wẹẹbu osise)",enterCode:"Tẹ koodu sii",enterCodeAria:"Tẹ koodu ti o ngbọ sii. Tẹ Space lati ṣe ohun orin.",error:"Ìdájọ́kòwò kò ṣẹ́ṣe. Gbiyanju lẹẹkansi ni ọjọ́ iwájú.",expired:"Ìdájọ́kòwò ti pari. Gbiyanju lẹẹkansi.",footer:'Ti wa ni ààbò nipasẹ <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (oju opo wẹẹbu osise)">ALTCHA</a>',getAudioChallenge:"Gba ìjàdú ohùn",label:"Emi kii ṣe ẹrọ",loading:"Ó ń gbé sílẹ̀...",reload:"Tún gbé wọlé",verify:"Ṣàdájọ́",verificationRequired:"Ìdájọ́kòwò ni a nílò!",verified:"A ti dájọ́",verifying:"Ó ń ṣàdájọ́...",waitAlert:"Ó ń ṣàdájọ́... ẹ jọ̀ọ́ ẹ duro.",cancel:"Fagbọsẹ",enterCodeFromImage:"Lati tẹsiwaju, jọwọ tẹ koodu ti o wa lati aworan isalẹ sii."};globalThis.$altcha.i18n.set("yo",Fc);var Hc={ariaLinkLabel:"Altcha (অফিসিয়াল ওয়েবসাইট)",enterCode:"কোড লিখুন",enterCodeAria:"আপনি যে কোড শুনতে পান তা লিখুন। অডিও প্লে করতে স্পেস বাটন টিপুন।",error:"যাচাইকরণ ব্যর্থ হয়েছে। পরে আবার চেষ্টা করুন।",expired:"যাচাইকরণ সময়সীমা শেষ হয়েছে। আবার চেষ্টা করুন।",footer:'দ্বারা সুরক্ষিত <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (অফিসিয়াল ওয়েবসাইট)">ALTCHA</a>',getAudioChallenge:"অডিও চ্যালেঞ্জ নিন",label:"আমি রোবট নই",loading:"লোড হচ্ছে...",reload:"পুনরায় লোড করুন",verify:"যাচাই করুন",verificationRequired:"যাচাই প্রয়োজন!",verified:"যাচাই করা হয়েছে",verifying:"যাচাই করা হচ্ছে...",waitAlert:"যাচাই করা হচ্ছে... দয়া করে অপেক্ষা করুন।",cancel:"বাতিল করুন",enterCodeFromImage:"এগিয়ে যেতে, অনুগ্রহ করে নীচের চিত্র থেকে কোডটি প্রবেশ করান।"};globalThis.$altcha.i18n.set("bn",Hc);var Dc={ariaLinkLabel:"Altcha (אתר רשמי)",enterCode:"הזן קוד",enterCodeAria:"הזן את הקוד שאתה שומע. לחץ על רווח להפעלת השמע.",error:"האימות נכשל. נסה שוב מאוחר יותר.",expired:"תוקף האימות פג. נסה שוב.",footer:'מוגן על ידי <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (אתר רשמי)">ALTCHA</a>',getAudioChallenge:"קבל אתגר שמע",label:"אני לא רובוט",loading:"טוען...",reload:"טען מחדש",verify:"אמת",verificationRequired:"נדרש אימות!",verified:"אומת",verifying:"מאמת...",waitAlert:"מבצע אימות... אנא המתן.",cancel:"ביטול",enterCodeFromImage:"כדי להמשיך, אנא הזן את הקוד מהתמונה למטה."};globalThis.$altcha.i18n.set("he",Dc);var Mc={ariaLinkLabel:"Altcha (आधिकारिक वेबसाइट)",enterCode:"कोड दर्ज करेंं",enterCodeAria:"आप जो कोड सुनते हैं उसे दर्ज करें। ऑडियो चलाने के लिए स्पेस दबाएं।",error:"सत्यापन विफल। कृपया बाद में फिर से प्रयास करें।",expired:"सत्यापन समाप्त हो गया है। कृपया पुनः प्रयास करें।",footer:'द्वारा संरक्षित <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (आधिकारिक वेबसाइट)">ALTCHA</a>',getAudioChallenge:"ऑडियो चुनौती प्राप्त करें",label:"मैं रोबोट नहीं हूँ",loading:"लोड हो रहा है...",reload:"पुनः लोड करें",verify:"सत्यापित करें",verificationRequired:"सत्यापन आवश्यक है!",verified:"सत्यापित",verifying:"सत्यापित कर रहे हैं...",waitAlert:"सत्यापित किया जा रहा है... कृपया प्रतीक्षा करें।",cancel:"रद्द करें",enterCodeFromImage:"आगे बढ़ने के लिए, कृपया नीचे दी गई छवि से कोड दर्ज करें।"};globalThis.$altcha.i18n.set("hi",Mc);var Nc={ariaLinkLabel:"Altcha (situs web resmi)",enterCode:"Masukkan kode",enterCodeAria:"Masukkan kode yang Anda dengar. Tekan Spasi untuk memutar audio.",error:"Verifikasi gagal. Coba lagi nanti.",expired:"Verifikasi telah kedaluwarsa. Coba lagi.",footer:'Dilindungi oleh <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (situs web resmi)">ALTCHA</a>',getAudioChallenge:"Dapatkan tantangan audio",label:"Saya bukan robot",loading:"Memuat...",reload:"Muat ulang",verify:"Verifikasi",verificationRequired:"Verifikasi diperlukan!",verified:"Terverifikasi",verifying:"Memverifikasi...",waitAlert:"Memverifikasi... harap tunggu.",cancel:"Batal",enterCodeFromImage:"Untuk melanjutkan, silakan masukkan kode dari gambar di bawah ini."};globalThis.$altcha.i18n.set("id",Nc);var Uc={ariaLinkLabel:"Altcha (公式ウェブサイト)",enterCode:"コードを入力",enterCodeAria:"聞こえるコードを入力してください。スペースキーを押して音声を再生します。",error:"認証に失敗しました。後でもう一度試してください。",expired:"認証が期限切れです。再試行してください。",footer:'保護されています <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (公式ウェブサイト)">ALTCHA</a>',getAudioChallenge:"音声チャレンジを取得",label:"私はロボットではありません",loading:"読み込み中...",reload:"再読み込み",verify:"確認",verificationRequired:"認証が必要です！",verified:"確認済み",verifying:"確認中...",waitAlert:"確認中...少々お待ちください。",cancel:"キャンセル",enterCodeFromImage:"続行するには、以下の画像からコードを入力してください。"};globalThis.$altcha.i18n.set("ja",Uc);var qc={ariaLinkLabel:"Altcha (공식 웹사이트)",enterCode:"코드 입력",enterCodeAria:"들리는 코드를 입력하세요. 스페이스 바를 눌러 오디오를 재생합니다.",error:"인증 실패. 나중에 다시 시도해주세요.",expired:"인증이 만료되었습니다. 다시 시도해주세요.",footer:'ALTCHA에서 보호됨 <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (공식 웹사이트)">ALTCHA</a>',getAudioChallenge:"오디오 챌린지 받기",label:"저는 로봇이 아닙니다",loading:"로딩 중...",reload:"새로 고침",verify:"확인",verificationRequired:"인증이 필요합니다!",verified:"확인됨",verifying:"확인 중...",waitAlert:"확인 중... 잠시만 기다려주세요.",cancel:"취소",enterCodeFromImage:"계속 진행하려면 아래 이미지에서 코드를 입력하세요."};globalThis.$altcha.i18n.set("ko",qc);var Kc={ariaLinkLabel:"Altcha (ресми веб-сайт)",enterCode:"Кодты енгізіңіз",enterCodeAria:"Естіген кодыңызды енгізіңіз. Аудионы ойнату үшін Бос орынды басыңыз.",error:"Тексеру сәтсіз аяқталды. Кейінірек қайталаңыз.",expired:"Тексеру мерзімі аяқталды. Қайталаңыз.",footer:'<a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (ресми веб-сайт)">ALTCHA</a> қорғайды',getAudioChallenge:"Аудио сынақ алу",label:"Мен робот емеспін",loading:"Жүктелуде...",reload:"Қайта жүктеу",verify:"Тексеру",verificationRequired:"Тексеру талап етіледі!",verified:"Тексерілді",verifying:"Тексеруде...",waitAlert:"Тексерілуде... күте тұрыңыз.",cancel:"Болдыру",enterCodeFromImage:"Жалғастыру үшін төмендегі суреттегі кодты енгізіңіз."};globalThis.$altcha.i18n.set("kk",Kc);var Bc={ariaLinkLabel:"Altcha (अधिकृत संकेतस्थळ)",enterCode:"कोड टाकाा",enterCodeAria:"तुम्ही ऐकत असलेला कोड टाका. ऑडिओ प्ले करण्यासाठी स्पेस दाबा.",error:"पुष्टीकरण अयशस्वी झाले. कृपया नंतर पुन्हा प्रयत्न करा.",expired:"पुष्टीकरण कालबाह्य झाले आहे. कृपया पुन्हा प्रयत्न करा.",footer:'द्वारे संरक्षित <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (अधिकृत संकेतस्थळ)">ALTCHA</a>',getAudioChallenge:"ऑडिओ चॅलेंज मिळवा",label:"मी रोबोट नाही",loading:"लोड होत आहे...",reload:"पुन्हा लोड करा",verify:"पुष्टीकरण करा",verificationRequired:"पडताळणी आवश्यक आहे!",verified:"पुष्टीकरण झाले",verifying:"पुष्टीकरण करत आहे...",waitAlert:"पुष्टीकरण करत आहे... कृपया थोडा वेळ थांबा.",cancel:"रद्द करा",enterCodeFromImage:"पुढे जाण्यासाठी, कृपया खालील प्रतिमेतील कोड प्रविष्ट करा."};globalThis.$altcha.i18n.set("mr",Bc);var Gc={ariaLinkLabel:"Altcha (அதிகாரப்பூர்வ வலைத்தளம்)",enterCode:"குறியீட்டை உள்ளிடவும்",enterCodeAria:"நீங்கள் கேட்கும் குறியீட்டை உள்ளிடவும். ஆடியோவை இயக்க Space ஐ அழுத்தவும்.",error:"சரிபார்ப்பு தோல்வி. பிறகு மீண்டும் முயற்சிக்கவும்.",expired:"சரிபார்ப்பு காலாவதியானது. மீண்டும் முயற்சிக்கவும்.",footer:'மூலமாக பாதுகாக்கப்பட்டவை <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (அதிகாரப்பூர்வ வலைத்தளம்)">ALTCHA</a>',getAudioChallenge:"ஒலி சவாலை பெறவும்",label:"நான் ரோபோடான அல்ல",loading:"செயலாக்கம்...",reload:"மீண்டும் புதுப்பிக்கவும்",verify:"சரிபார்க்கவும்",verificationRequired:"சரிபார்ப்பு தேவை!",verified:"சரிபார்க்கப்பட்டது",verifying:"சரிபார்க்கப்படுகிறது...",waitAlert:"சரிபார்க்கப்படுகிறது... தயவுசெய்து காத்திருக்கவும்.",cancel:"ரத்துசெய்",enterCodeFromImage:"தொடர, கீழே உள்ள படத்திலிருந்து குறியீட்டை உள்ளிடவும்."};globalThis.$altcha.i18n.set("ta",Gc);var Wc={ariaLinkLabel:"Altcha (అధికారిక వెబ్‌సైట్)",enterCode:"కోడ్‌ని నమోదు చేయండి",enterCodeAria:"మీరు విన్న కోడ్‌ని నమోదు చేయండి. ఆడియో ప్లే చేయడానికి స్పేస్‌ను నొక్కండి.",error:"చెకింగ్ విఫలమైంది. దయచేసి మరల ప్రయత్నించండి.",expired:"చెకింగ్ కాలం ముగిసింది. దయచేసి మరల ప్రయత్నించండి.",footer:'ఈ సైట్ రక్షించబడింది <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (అధికారిక వెబ్‌సైట్)">ALTCHA</a>',getAudioChallenge:"ఆడియో ఛాలెంజ్ పొందండి",label:"నేను రోబోట్ కాదు",loading:"లోడ్ అవుతోంది...",reload:"మళ్ళీ లోడ్ చేయండి",verify:"ధ్రువీకరించు",verificationRequired:"ధృవీకరణ అవసరం!",verified:"ధ్రువీకరించబడింది",verifying:"ధ్రువీకరణ జరుగుతుంది...",waitAlert:"ధ్రువీకరణ జరుగుతుంది... దయచేసి వేచి ఉండండి.",cancel:"రద్దు చేయండి",enterCodeFromImage:"కొనసాగడానికి, దయచేసి క్రింది చిత్రంలో ఉన్న కోడ్‌ను నమోదు చేయండి."};globalThis.$altcha.i18n.set("te",Wc);var Yc={ariaLinkLabel:"Altcha (เว็บไซต์ทางการ)",enterCode:"ป้อนรหัส",enterCodeAria:"ป้อนรหัสที่คุณได้ยิน กด Space เพื่อเล่นเสียง",error:"การตรวจสอบล้มเหลว กรุณาลองอีกครั้งภายหลัง",expired:"การตรวจสอบหมดอายุ กรุณาลองใหม่",footer:'ป้องกันโดย <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (เว็บไซต์ทางการ)">ALTCHA</a>',getAudioChallenge:"รับการท้าทายเสียง",label:"ฉันไม่ใช่บอท",loading:"กำลังโหลด...",reload:"โหลดใหม่",verify:"ตรวจสอบ",verificationRequired:"จำเป็นต้องตรวจสอบ!",verified:"ตรวจสอบแล้ว",verifying:"กำลังตรวจสอบ...",waitAlert:"กำลังตรวจสอบ... กรุณารอ",cancel:"ยกเลิก",enterCodeFromImage:"เพื่อดำเนินการต่อ โปรดป้อนรหัสจากรูปภาพด้านล่าง"};globalThis.$altcha.i18n.set("th",Yc);var Zc={ariaLinkLabel:"Altcha (سرکاری ویب سائٹ)",enterCode:"کوڈ درج کریں",enterCodeAria:"جو کوڈ آپ سنتے ہیں وہ درج کریں۔ آڈیو چلانے کے لیے اسپیس دبائیں۔",error:"توثیق ناکام ہو گئی۔ براہ کرم بعد میں دوبارہ کوشش کریں۔",expired:"توثیق کی مدت ختم ہو گئی ہے۔ براہ کرم دوبارہ کوشش کریں۔",footer:'کے ذریعے محفوظ <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (سرکاری ویب سائٹ)">ALTCHA</a>',getAudioChallenge:"آڈیو چیلنج حاصل کریں",label:"میں روبوٹ نہیں ہوں",loading:"لوڈ ہو رہا ہے...",reload:"دوبارہ لوڈ کریں",verify:"توثیق کریں",verificationRequired:"تصدیق ضروری ہے!",verified:"توثیق شدہ",verifying:"توثیق ہو رہی ہے...",waitAlert:"توثیق ہو رہی ہے... براہ کرم انتظار کریں۔",cancel:"منسوخ کریں",enterCodeFromImage:"اگلے مرحلے پر جانے کے لیے، براہ کرم نیچے دی گئی تصویر سے کوڈ درج کریں۔"};globalThis.$altcha.i18n.set("ur",Zc);var Jc={ariaLinkLabel:"Altcha (rasmiy veb-sayt)",enterCode:"Kodni kiriting",enterCodeAria:"Eshitgan kodingizni kiriting. Audioni ijro etish uchun Bo'sh joy tugmasini bosing.",error:"Tekshiruv muvaffaqiyatsiz tugadi. Keyinroq qayta urinib ko'ring.",expired:"Tekshiruv muddati tugadi. Qayta urinib ko'ring.",footer:'<a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (rasmiy veb-sayt)">ALTCHA</a> tomonidan himoyalangan',getAudioChallenge:"Audio sinovni olish",label:"Men robot emasman",loading:"Yuklanmoqda...",reload:"Qayta yuklash",verify:"Tekshirish",verificationRequired:"Tekshiruv talab qilinadi!",verified:"Tekshirildi",verifying:"Tekshirilmoqda...",waitAlert:"Tekshirilmoqda... iltimos kuting.",cancel:"Bekor qilish",enterCodeFromImage:"Davom etish uchun, iltimos, quyidagi rasmda ko'rsatilgan kodni kiriting."};globalThis.$altcha.i18n.set("uz",Jc);var Xc={ariaLinkLabel:"Altcha (trang web chính thức)",enterCode:"Nhập mã",enterCodeAria:"Nhập mã bạn nghe được. Nhấn Phím cách để phát âm thanh.",error:"Xác minh thất bại. Vui lòng thử lại sau.",expired:"Xác minh đã hết hạn. Vui lòng thử lại.",footer:'Được bảo vệ bởi <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (trang web chính thức)">ALTCHA</a>',getAudioChallenge:"Nhận thử thách âm thanh",label:"Tôi không phải là robot",loading:"Đang tải...",reload:"Tải lại",verify:"Xác minh",verificationRequired:"Yêu cầu xác minh!",verified:"Đã xác minh",verifying:"Đang xác minh...",waitAlert:"Đang xác minh... vui lòng chờ.",cancel:"Hủy bỏ",enterCodeFromImage:"Để tiếp tục, vui lòng nhập mã từ hình ảnh bên dưới."};globalThis.$altcha.i18n.set("vi",Xc);var Qc={ariaLinkLabel:"Altcha (官方网站)",enterCode:"输入代码",enterCodeAria:"输入您听到的代码。按空格键播放音频。",error:"验证失败。稍后再试。",expired:"验证已过期。请重试。",footer:'由 <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (官方网站)">ALTCHA</a> 保护',getAudioChallenge:"获取音频挑战",label:"我不是机器人",loading:"加载中...",reload:"重新加载",verify:"验证",verificationRequired:"需要验证！",verified:"已验证",verifying:"正在验证...",waitAlert:"正在验证... 请稍等。",cancel:"取消",enterCodeFromImage:"为继续操作，请输入下图中显示的验证码。"};globalThis.$altcha.i18n.set("zh-cn",Qc);var eu={ariaLinkLabel:"Altcha (官方網站)",cancel:"取消",enterCode:"輸入代碼",enterCodeAria:"輸入你聽到嘅代碼。按空格鍵播放音訊。",enterCodeFromImage:"要繼續，請輸入下面圖片入面嘅代碼。",error:"驗證失敗。請稍後再試。",expired:"驗證已過期。請再試一次。",footer:'由 <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (官方網站)">ALTCHA</a> 提供保護',getAudioChallenge:"取得音訊驗證",label:"我唔係機械人",loading:"載入中...",reload:"重新載入",verify:"驗證",verificationRequired:"需要驗證！",verified:"已驗證",verifying:"驗證中...",waitAlert:"驗證中... 請稍候。"};globalThis.$altcha.i18n.set("zh-hk",eu);var tu={ariaLinkLabel:"Altcha (官方網站)",enterCode:"輸入代碼",enterCodeAria:"輸入您聽到的代碼。按空格鍵播放音頻。",error:"驗證失敗。稍後再試。",expired:"驗證已過期。請重試。",footer:'由 <a href="https://altcha.org/" tabindex="-1" target="_blank" aria-label="Altcha (官方網站)">ALTCHA</a> 保護',getAudioChallenge:"獲取音頻挑戰",label:"我不是機器人",loading:"載入中...",reload:"重新載入",verify:"驗證",verificationRequired:"需要驗證！",verified:"已驗證",verifying:"正在驗證...",waitAlert:"正在驗證... 請稍等。",cancel:"取消",enterCodeFromImage:"若要繼續，請輸入下方的圖片驗證碼。"};globalThis.$altcha.i18n.set("zh-tw",tu);function Mr(e,t){if(!t.includes(e))throw Error(`Unsupported algorithm: ${String(e)}. Expected one of: ${t.join(", ")}.`)}function On(e,t){if(t.length>e.length)return!1;for(let r=0;r<t.length;r++)if(e[r]!==t[r])return!1;return!0}function Nr(e){return Array.from(new Uint8Array(e)).map((t)=>t.toString(16).padStart(2,"0")).join("")}function Fn(e,t){let r=new Uint8Array(e.length+t.length);return r.set(e,0),r.set(t,e.length),r}function Ur(e){if(e.length%2!==0)throw Error(`Hex string must have an even length. Got: ${e}`);if(!/^[0-9a-fA-F]*$/.test(e))throw Error("Hex string contains non-hex characters.");let t=new Uint8Array(e.length/2);for(let r=0;r<t.length;r++)t[r]=parseInt(e.substring(r*2,r*2+2),16);return t}async function qa(e){await new Promise((t)=>setTimeout(t,e))}function Ka(e){return Math.floor((performance.now()-e)*10)/10}var Rt;(function(e){e.SHA_256="SHA-256",e.SHA_384="SHA-384",e.SHA_512="SHA-512"})(Rt||(Rt={}));var Hn;(function(e){e.CODE="code",e.ERROR="error",e.VERIFIED="verified",e.VERIFYING="verifying",e.UNVERIFIED="unverified",e.EXPIRED="expired"})(Hn||(Hn={}));var bu=Object.values(Rt),Dn={string:Number.MAX_SAFE_INTEGER,uint32:4294967295};function nu(e,t){return Number.isInteger(e)&&e>=0&&e<=Dn[t]}class Mn{nonce;mode;COUNTER_BYTES=4;buffer;dataView;encoder=new TextEncoder;constructor(e,t="uint32"){this.nonce=e,this.mode=t,this.buffer=new Uint8Array(this.nonce.length+this.COUNTER_BYTES),this.buffer.set(this.nonce,0),this.dataView=new DataView(this.buffer.buffer)}setCounter(e){if(!nu(e,this.mode))throw RangeError(`counter must be an integer from 0 to ${Dn[this.mode]}. Got: ${e}`);if(this.mode==="string")return Fn(this.nonce,this.encoder.encode(e.toString()));return this.dataView.setUint32(this.nonce.length,e,!1),this.buffer}}function ou(e,t){if(typeof e!=="string"||!/^[0-9a-fA-F]+$/.test(e))throw Error("keyPrefix must be a non-empty hex string.");if(e.length>t*2)throw Error(`keyPrefix (${e.length} hex characters) must not be longer than the key (keyLength: ${t} bytes).`)}async function Ba(e){let{challenge:t,controller:r,counterMode:a="uint32",counterStart:i=0,counterStep:o=1,deriveKey:s,timeout:l=90000}=e,{nonce:f,keyLength:c=32,keyPrefix:d,salt:g}=t.parameters;ou(d,c);let h=Ur(f),m=Ur(g),p=d.toLowerCase(),y=d.length%2===0?Ur(d):null,T=new Mn(h,a),L=performance.now(),J=i,W=0,ae="",D=L;while(!0){if(r?.signal.aborted||l&&W%10===0&&performance.now()-L>l)return null;let{derivedKey:ke}=await s(t.parameters,m,T.setCounter(J));if(W%10===0&&performance.now()-D>200)await qa(0),D=performance.now();if(y?On(ke,y):Nr(ke).startsWith(p)){ae=Nr(ke);break}J=J+o,W=W+1}return{counter:J,derivedKey:ae,time:Ka(L)}}var Au=["SHA-1",...Object.values(Rt)];async function Nn(e,t,r){let{algorithm:a,cost:i,keyLength:o=32}=e;Mr(a,["PBKDF2/SHA-256","PBKDF2/SHA-384","PBKDF2/SHA-512"]);let s=await crypto.subtle.importKey("raw",r,{name:"PBKDF2"},!1,["deriveBits"]),l=await crypto.subtle.deriveBits({name:"PBKDF2",salt:t,iterations:i,hash:a.slice(7)},s,o*8);return{parameters:{},derivedKey:new Uint8Array(l)}}class Un extends EventTarget{controller=new AbortController;postMessage(e){if(e.type==="abort")return this.terminate();Ba({...e,deriveKey:Nn,controller:this.controller}).then((t)=>this.answer(t),(t)=>this.answer({error:String(t)}))}terminate(){this.controller.abort()}answer(e){this.dispatchEvent(new MessageEvent("message",{data:e}))}}$altcha.algorithms.set("PBKDF2/SHA-256",()=>new Un);$altcha.defaults.set({humanInteractionSignature:!1});})();
