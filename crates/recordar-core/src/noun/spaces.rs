//! Lists of spaces.

use super::limits::MAX_SPACES;
use recordar_domain::{Invalid, SpaceName};

/// The spaces to search, each once.
pub fn unique(spaces: &[SpaceName]) -> Result<Vec<SpaceName>, Invalid> {
    if spaces.is_empty() || spaces.len() > MAX_SPACES {
        return Err(Invalid::new(
            format!("{} spaces were given", spaces.len()),
            format!("name 1 to {MAX_SPACES} spaces"),
        ));
    }
    let mut unique: Vec<SpaceName> = Vec::new();
    for space in spaces {
        if !unique.contains(space) {
            unique.push(space.clone());
        }
    }
    Ok(unique)
}

pub fn names(spaces: &[SpaceName]) -> Vec<String> {
    spaces.iter().map(SpaceName::to_string).collect()
}
