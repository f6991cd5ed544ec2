import { chromium } from "@playwright/test";
const base = process.env.BASE ?? "http://127.0.0.1:4377";
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox","--disable-gpu","--disable-background-networking"] });
const [,, ...wants] = process.argv; // name|path|w|theme|lang[|js]
const ctxs = new Map();
async function ctx(w, theme, lang){
  const key=`${w}${theme}${lang}`;
  if (ctxs.has(key)) return ctxs.get(key);
  const touch = w < 600;
  const c = await browser.newContext({ viewport: { width: w, height: touch ? 844 : 900 }, colorScheme: theme, hasTouch: touch, isMobile: touch });
  await c.addInitScript(([l,t])=>{localStorage.setItem("language",l);localStorage.setItem("theme",t)},[lang,theme]);
  const r = await c.request.post(base+"/api/trpc/auth.login?batch=1",{headers:{"x-innkey":"1","content-type":"application/json",origin:base},data:{0:{account:"13800000001",password:"innkey-demo"}}});
  if(!r.ok()) console.log("login",r.status(),await r.text());
  const p = await c.newPage();
  p.on("console",m=>{ if(["error","warning"].includes(m.type())) console.log("  console:",m.text().slice(0,300)); });
  p.on("pageerror",e=>console.log("  pageerror:",String(e.stack).slice(0,500)));
  ctxs.set(key,p); return p;
}
for (const want of wants){
  const [name,path,w,theme,lang,...js]=want.split("|");
  const p = await ctx(Number(w),theme,lang);
  await p.goto(base+path,{waitUntil:"load"});
  await p.waitForSelector("h1",{timeout:60000}).catch(()=>console.log("no h1",name));
  await p.waitForTimeout(1200);
  if(js.length) { try { await (new Function("p","return (async()=>{"+js.join("|")+"})()"))(p); } catch(e){console.log("  js",String(e).slice(0,400))} await p.waitForTimeout(500);}
  await p.screenshot({path:`/tmp/wb-${name}.png`});
  console.log("shot",name,await p.title());
}
await browser.close();
