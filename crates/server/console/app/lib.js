// The view library: Preact with hooks, and htm in place of JSX.

const hooks = globalThis.preactHooks;

export const html = globalThis.htm.bind(globalThis.preact.h);
export const render = globalThis.preact.render;
export const useState = hooks.useState;
export const useEffect = hooks.useEffect;
export const useLayoutEffect = hooks.useLayoutEffect;
export const useRef = hooks.useRef;
export const useMemo = hooks.useMemo;
export const useErrorBoundary = hooks.useErrorBoundary;
