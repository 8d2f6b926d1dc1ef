import { type Brand, NO_BRAND } from '../../workspaces/brand';

/**
 * The style of the page, in it: nothing else is loaded. Colours are the system's, so that it is light or dark as the
 * customer likes, or the workspace; the workspace's is on the button, the choices and the bar on top.
 */
export function styleOf(primaryColor: string, brand: Brand = NO_BRAND): string {
  return `:root{color-scheme:${schemeOf(brand)};--corner:${brand.radius ?? '.3rem'};--own:${primaryColor};--on-own:${readableOn(primaryColor)};--line:#767676}
*{box-sizing:border-box}
body{max-width:36rem;margin:0 auto;padding:1.5rem 1rem;border-top:.5rem solid var(--own);background:Canvas;color:CanvasText;font:100%/1.5 ${brand.font ?? 'system-ui,sans-serif'};accent-color:var(--own);overflow-wrap:anywhere}
h1{font-size:1.6rem;line-height:1.25;margin:0 0 1rem}
h2{font-size:1.15rem;margin:1.75rem 0 .5rem}
img{display:block;max-width:12rem;max-height:4rem;margin:0 0 1rem}
.field,fieldset{margin:1rem 0;border:0;padding:0}
label,legend{display:block;font-weight:600;padding:0}
.choice{display:flex;gap:.6rem;align-items:baseline;font-weight:400;margin:.4rem 0}
.hint{margin:0;font-size:.9rem}
.fault{margin:.25rem 0 0;font-weight:600}
.fault::before{content:"⚠ "}
input[type=text],input[type=email],input[type=date],textarea{display:block;width:100%;margin:.25rem 0 0;padding:.6rem;font:inherit;color:inherit;background:Field;border:1px solid var(--line);border-radius:var(--corner)}
[aria-invalid=true]{border-width:2px;border-color:CanvasText}
button{display:block;width:100%;padding:.9rem 1rem;font:inherit;font-size:1.15rem;font-weight:700;color:var(--on-own);background:var(--own);border:2px solid CanvasText;border-radius:var(--corner);cursor:pointer}
button[hidden]{display:none}
a{color:LinkText}
:focus-visible{outline:3px solid CanvasText;outline-offset:2px}
.notice{margin:0 0 1.5rem;padding:.75rem 1rem;border:2px solid CanvasText;border-radius:var(--corner)}
.notice>:first-child{margin-top:0}.notice>:last-child{margin-bottom:0}
.trap{position:absolute;inset-inline-start:-100vw;width:1px;height:1px;overflow:hidden}
dt{font-weight:600}dd{margin:0 0 .75rem}
footer{margin-top:2.5rem;padding-top:1rem;border-top:1px solid var(--line);font-size:.9rem}
footer a{margin-inline-end:1rem;display:inline-block;padding:.25rem 0}`;
}

/** The value of `color-scheme` in CSS. */
export function schemeOf({ scheme }: Brand = NO_BRAND): string {
  return scheme === 'light' || scheme === 'dark' ? scheme : 'light dark';
}

/** Black or white, whatever stands out more from a colour like #1a2b3c or #abc (WCAG 2.2). */
export function readableOn(color: string): string {
  const digits =
    color.length === 4 ? Array.from(color.slice(1), (digit) => digit + digit) : color.slice(1).match(/../g)!;
  const [red, green, blue] = digits.map((pair) => {
    const share = Number.parseInt(pair, 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000' : '#fff';
}
