import Recordings
import ReducerKit

/// The recipe of each folder: its own, that of the nearest folder above it that has one, or the
/// usual one.
package struct Recipes: Hashable, Codable, Sendable {
    package var usual: Boxed<Recipe>
    /// By folder, relative to the root.
    package var own: [Pathname: Boxed<Recipe>] = [:]

    package init(_ usual: Recipe = Recipe(), own: [Pathname: Recipe] = [:]) {
        self.usual = Boxed(usual)
        self.own = own.mapValues { Boxed($0) }
    }

    /// - Complexity: O(depth of the folder), and O(1) if no folder has one of its own.
    package subscript(folder: Pathname) -> Boxed<Recipe> {
        guard !own.isEmpty else { return usual }
        var folder = folder
        while !folder.isEmpty {
            if let recipe = own[folder] { return recipe }
            folder = folder.parent
        }
        return usual
    }
}
