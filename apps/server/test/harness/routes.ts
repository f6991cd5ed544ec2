import type { FastifyInstance } from "fastify";

export interface Route {
  method: string;
  /** With the names of its parameters, or a `*` */
  path: string;
}

const LINE = /^((?:[│ ] {3})*)[└├]── (\S*) \(([A-Z, ]+)\)$/;

/** Returns every route of the server, as Fastify prints them. */
export function routesOf(app: FastifyInstance): Route[] {
  const above: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split("\n")
    .flatMap((line) => {
      const [, indent = "", name = "", methods = ""] = LINE.exec(line) ?? [];
      if (name === "") return [];
      const depth = indent.length / 4;
      above.length = depth;
      const path = above.join("") + name;
      above[depth] = name;
      return methods.split(", ").map((method) => ({ method, path }));
    });
}

/** Returns a URL of the route with its parameters filled in. */
export const addressOf = ({ path }: Route): string => path.replace(/:\w+/g, "1").replace("*", "anything");
